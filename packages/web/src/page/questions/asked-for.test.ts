import type { PermissionQuestion } from '@parley/session';
import { describe, expect, it } from 'vitest';
import { readAskedFor } from './asked-for.ts';

function ask(toolCall: PermissionQuestion['toolCall'], more: Partial<PermissionQuestion> = {}): PermissionQuestion {
  return { type: 'permission', questionId: 'q', toolCall, options: [], ...more };
}

describe('what a permission is asked for', () => {
  it('is the exact command and its folder', () => {
    const toolCall = {
      toolCallId: 't',
      title: 'Clean up',
      kind: 'execute',
      rawInput: { command: 'rm -rf \u202edist', cwd: '/w/sub' },
    };
    expect(readAskedFor(ask(toolCall), '/w')).toMatchObject({
      title: 'Clean up',
      command: 'rm -rf [U+202E]dist',
      cwd: '/w/sub',
    });
    const words = { ...toolCall, rawInput: { command: ['git', 'commit', '-m', "it's done"] } };
    expect(readAskedFor(ask(words), '/w')).toMatchObject({ command: "git commit -m 'it'\\''s done'", cwd: '/w' });
  });

  it('has the words of the agent, and what the call shows', () => {
    const content = [{ type: 'content', content: { type: 'text', text: 'Reads the page' } }] as const;
    const question = ask(
      { toolCallId: 't', title: 'fetch', content, rawInput: { url: 'https://a.b' } },
      { title: 'May I look?', description: 'To learn.' },
    );
    expect(readAskedFor(question, '/w')).toMatchObject({
      title: 'May I look?',
      words: ['fetch', 'To learn.'],
      text: 'Reads the page',
      url: 'https://a.b',
    });
  });

  it('names files that the title does not', () => {
    const locations = [{ path: '/w/a' }, { path: '/w/b' }];
    expect(readAskedFor(ask({ toolCallId: 't', title: 'Delete /w/a', locations }), '/w').paths).toEqual(['/w/b']);
  });
});
