import { describe, expect, it } from 'vitest';
import { buildPrompt, readPrompt } from './build-prompt.ts';

describe('a prompt', () => {
  it('has the words, the files that were chosen, and what is attached', () => {
    const block = { type: 'image', data: '', mimeType: 'image/png' } as const;
    const prompt = buildPrompt('see @src/a b.ts @"src/a b.ts" and @nobody', {
      cwd: '/home/me/code/',
      chosen: new Set(['src/a b.ts', 'gone.ts']),
      attachments: [{ id: '1', name: 'x', bytes: 1, block }],
    });
    expect(prompt.slice(1)).toEqual([
      { type: 'resource_link', name: 'a b.ts', uri: 'file:///home/me/code/src/a%20b.ts' },
      block,
    ]);
  });

  it('may be an attachment alone, in a folder of Windows', () => {
    expect(buildPrompt(' ', { cwd: 'C:\\me', chosen: new Set(), attachments: [] })).toEqual([]);
    expect(buildPrompt('@a', { cwd: 'C:\\me', chosen: new Set(['a']), attachments: [] })[1]).toMatchObject({
      uri: 'file:///C:/me/a',
    });
  });

  it('can be read into what it was built from', () => {
    const block = { type: 'image', data: 'AAAA', mimeType: 'image/png' } as const;
    const [cwd, chosen] = ['/home/me/code', new Set(['src/a b.ts'])];
    const attachments = [{ id: '1', name: 'x', bytes: 3, block }];
    const prompt = buildPrompt('see @"src/a b.ts" and @nobody', { cwd, chosen, attachments });
    expect(readPrompt(prompt, cwd)).toEqual({
      text: 'see @"src/a b.ts" and @nobody',
      chosen: ['src/a b.ts'],
      blocks: [block],
    });
  });
});
