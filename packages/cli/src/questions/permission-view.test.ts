import type { PermissionQuestion } from '@parley/client';
import { describe, expect, it } from 'vitest';
import { TEST_VIEW } from '../../test/support/test-view.ts';
import { textOfLine } from '../terminal/text/styled-text.ts';
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
      '    It is old.',
      '    a.ts',
      '    1 - x',
      '    1 + y',
    ]);
  });

  it('shows the command once, and where it runs', () => {
    const rawInput = { command: 'rm x', cwd: '/proj' };
    expect(view({ toolCallId: 't', title: 'rm x', kind: 'execute', rawInput, locations: [{ path: '/proj' }] })).toEqual(
      ['? All right?', '    It is old.', '    $ rm x', '    in /proj'],
    );
  });
});
