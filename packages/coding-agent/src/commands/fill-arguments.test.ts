import { describe, expect, it } from 'vitest';
import { fillArguments } from './fill-arguments.ts';

describe('the arguments of a command', () => {
  it.each([
    ['Review $ARGUMENTS.', 'a b', 'Review a b.'],
    ['$1 then $2, not $3', 'one "two words"', 'one then two words, not '],
    ['cost $10 and $ARGUMENTSX', 'x', 'cost $10 and $ARGUMENTSX\n\nx'],
    ['Say it.', 'loud', 'Say it.\n\nloud'],
    ['Say it.', '', 'Say it.'],
    ['$1 $9', "'$2 $&' b", '$2 $& '],
  ])('are put into %j', (prompt, input, expected) => {
    expect(fillArguments(prompt, input)).toBe(expected);
  });
});
