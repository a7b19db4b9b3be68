import { expect, it } from 'vitest';
import { headOf, tailOf, wellFormed } from './text.ts';

it('cuts a text without halving a character', () => {
  const text = 'a😀b';
  expect([0, 1, 2, 3, 4, 5].map((count) => headOf(text, count))).toEqual(['', 'a', 'a', 'a😀', text, text]);
  expect([0, 1, 2, 3, 4, 5].map((count) => tailOf(text, count))).toEqual(['', 'b', 'b', '😀b', text, text]);
});

it('replaces halves of characters and nothing else', () => {
  expect(wellFormed('a\ud83d b\ude00 😀 \ud83d')).toBe('a\ufffd b\ufffd 😀 \ufffd');
});
