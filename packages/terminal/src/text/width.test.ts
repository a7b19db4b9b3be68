import { describe, expect, it } from 'vitest';
import { textWidth } from './width.ts';

describe('the width of text', () => {
  it.each([
    ['a trigram', '\u2630', 2],
    ['a monogram', '\u268a', 2],
    ['Tangut of Unicode 18', '\u{18e00}', 2],
    ['a Chinese character', '\u6f22', 2],
    ['a fullwidth letter', '\uff21', 2],
    ['halfwidth Katakana', '\uff71', 1],
    ['a number in a square', '\u3248', 2],
    ['a picture that the standard calls narrow', '\u{1f5a5}', 2],
    ['half a flag', '\u{1f1e9}', 1],
    ['a letter with an accent of its own', 'e\u0301', 1],
    ['a Korean syllable in parts', '\u1112\u1161\u11ab', 2],
    ['a sign as an emoji', '\u2764\ufe0f', 2],
  ])('of %s is the most that a terminal draws', (_, text, columns) => {
    expect(textWidth(text)).toBe(columns);
  });
});
