import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { replaceText } from './replace-text.ts';

describe('replacing text', () => {
  it('keeps the line ends of a Windows file', () => {
    const result = replaceText('a\r\nb\r\nc\r\n', { oldText: 'a\nb', newText: 'x\ny', isEverywhere: false });
    expect(result).toEqual({ content: 'x\r\ny\r\nc\r\n', says: 'Edited' });
  });

  it('takes what looks like a pattern as plain text', () => {
    const result = replaceText('cost: $1 (a|b)', { oldText: '$1 (a|b)', newText: '$& $1', isEverywhere: false });
    expect(result).toEqual({ content: 'cost: $& $1', says: 'Edited' });
  });

  it('puts back what it replaced when the other way round', () => {
    fc.assert(
      fc.property(fc.string(), fc.string(), fc.string({ minLength: 1 }), (before, after, word) => {
        const marker = '\u{1F600}';
        fc.pre(!`${before}${after}${word}`.includes(marker) && !`${before}${after}`.includes(word));
        const text = before + word + after;
        fc.pre(text.split(word).length === 2 && !text.includes('\r'));
        const there = replaceText(text, { oldText: word, newText: marker, isEverywhere: false });
        if ('error' in there) throw new Error(there.error);
        const back = replaceText(there.content, { oldText: marker, newText: word, isEverywhere: false });
        expect(back).toMatchObject({ content: text });
      }),
      { seed: 8 },
    );
  });
});
