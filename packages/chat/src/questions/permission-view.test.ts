import type { PermissionQuestion } from '@parley/client';
import { textOfLine } from '@parley/terminal';
import { describe, expect, it } from 'vitest';
import { TEST_VIEW } from '../../test/support/test-view.ts';
import { viewPermission } from './permission-view.ts';

const ASKED = {
  type: 'permission',
  questionId: 'q',
  options: [],
  title: 'All right?',
  description: 'It is\u001b[2J old.',
} as const;

function view(toolCall: PermissionQuestion['toolCall']): string[] {
  return viewPermission({ ...ASKED, toolCall }, TEST_VIEW).map(textOfLine);
}

describe('a permission that is asked for in words of its own', () => {
  it('shows the call that it is about as well, and the patch of its changes', () => {
    const patch = '--- a/proj/a.ts\n+++ b/proj/a.ts\n@@ -1 +1 @@\n-x\n+y\n';
    const changes = [{ operation: 'modify', path: '/proj/a.ts' }];
    expect(view({ toolCallId: 't', title: 'Edit it', content: [{ type: 'changes', changes, patch }] })).toEqual([
      '? All right?',
      '    Edit it',
      '    It is[U+001B][2J old.',
      '    a.ts',
      '    1 - x',
      '    1 + y',
    ]);
  });

  it('shows what an escape sequence would hide: of the title, the command, the input and a change', () => {
    const hiding = 'echo \u001b]0;$(rm -rf ~)\u0007hi\u202e';
    const shown = 'echo [U+001B]]0;$(rm -rf ~)[U+0007]hi[U+202E]';
    const ask = (toolCall: object): string =>
      viewPermission({ ...ASKED, title: hiding, toolCall: { toolCallId: 't', ...toolCall } }, TEST_VIEW)
        .map(textOfLine)
        .join('\n');
    expect(ask({})).toContain(`? ${shown}`);
    expect(ask({ kind: 'execute', rawInput: { command: `${hiding}\r\nls` } })).toContain(`    $ ${shown}\n    $ ls`);
    expect(ask({ name: 'mcp__a__b', rawInput: { text: hiding } })).toContain(`    text: ${shown}`);
    const diff = { type: 'diff', path: '/proj/a.sh', oldText: 'a\r\n', newText: `${hiding}\r\n` };
    expect(ask({ kind: 'edit', content: [diff] })).toContain(`1 + ${shown}`);
  });

  it('shows the command once, and where it runs', () => {
    const rawInput = { command: 'rm x', cwd: '/proj' };
    expect(view({ toolCallId: 't', title: 'rm x', kind: 'execute', rawInput, locations: [{ path: '/proj' }] })).toEqual(
      ['? All right?', '    It is[U+001B][2J old.', '    $ rm x', '    in /proj'],
    );
  });
});
