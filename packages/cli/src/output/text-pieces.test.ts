import { describe, expect, it } from 'vitest';
import { jsonPieces, textPieces } from './text-pieces.ts';

const long = `${'x'.repeat(64 * 1024 - 1)}😀${'"\n'.repeat(100_000)}`;

describe('a text in pieces', () => {
  it.each([[['']], [['short', '', ' one']], [[long]], [[long, 'x', long]], [Array.from(long)]])(
    'is the same text',
    (texts) => {
      expect([...textPieces(texts)].join('')).toBe(texts.join(''));
    },
  );

  it('keeps characters of two halves whole', () => {
    for (const piece of textPieces([long])) expect(piece).toBe(Buffer.from(piece).toString());
  });

  it('has few pieces, however small those are that it is made of', () => {
    expect([...textPieces(Array.from(long))].length).toBeLessThan(10);
  });

  it('is the same JSON as in one piece', () => {
    const outcome = { a: 1, b: undefined, c: null, d: { text: [long], e: ['x', { f: 1 }] }, g: {} };
    const pieces = { ...outcome, d: { ...outcome.d, text: textPieces(outcome.d.text) } };
    expect([...jsonPieces(pieces)].join('')).toBe(JSON.stringify({ ...outcome, d: { ...outcome.d, text: long } }));
  });
});
