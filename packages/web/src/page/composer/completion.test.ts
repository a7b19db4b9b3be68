import { describe, expect, it } from 'vitest';
import { complete, findCompleting, findMentions, hintOf, matchCommands } from './completion.ts';

const COMMANDS = [
  { name: 'review', description: 'Looks at changes', input: { hint: 'which branch' } },
  { name: 'plan', description: 'Makes a plan' },
  { name: 'preview', description: 'Shows the page' },
];

describe('what is offered while somebody writes', () => {
  it.each([
    ['/re', 3, { kind: 'command', query: 're', start: 0, end: 3 }],
    ['/', 1, { kind: 'command', query: '', start: 0, end: 1 }],
    ['say /re', 7, undefined],
    ['/review now', 11, undefined],
    ['see @src/a', 10, { kind: 'file', query: 'src/a', start: 4, end: 10 }],
    ['see @"my fi', 11, { kind: 'file', query: 'my fi', start: 4, end: 11 }],
    ['me@example', 10, undefined],
    ['@', 1, { kind: 'file', query: '', start: 0, end: 1 }],
    ['two\n@x', 6, { kind: 'file', query: 'x', start: 4, end: 6 }],
  ])('for %j at %i is %j', (text, caret, expected) => {
    expect(findCompleting(text, caret)).toEqual(expected);
  });

  it('are commands that begin so, then those that hold it', () => {
    expect(matchCommands(COMMANDS, 'review').map(({ name }) => name)).toEqual(['review', 'preview']);
    expect(matchCommands(COMMANDS, '')).toHaveLength(3);
    expect(hintOf('/review ', COMMANDS)).toBe('which branch');
    expect(hintOf('/review main', COMMANDS)).toBeUndefined();
  });

  it('takes the place of what was written', () => {
    const text = 'see @sr and go';
    const completing = findCompleting(text, 7);
    expect(completing && complete(text, completing, 'src/main.ts')).toEqual({
      text: 'see @src/main.ts and go',
      caret: 16,
    });
    const command = findCompleting('/re', 3);
    expect(command && complete('/re', command, 'review')).toEqual({ text: '/review ', caret: 8 });
    const spaced = findCompleting('@a', 2);
    expect(spaced && complete('@a', spaced, 'a b.txt')).toEqual({ text: '@"a b.txt" ', caret: 11 });
  });

  it('finds the files that were named', () => {
    expect(findMentions('look at @a.ts and @"b c.ts", not me@x, @a.ts')).toEqual(['a.ts', 'b c.ts']);
  });
});
