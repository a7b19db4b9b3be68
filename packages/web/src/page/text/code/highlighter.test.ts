import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { readHighlighted } from './highlighted.ts';
import { highlight } from './highlighter.ts';

describe('highlighted code', () => {
  it('is the code itself, in pieces', () => {
    const word = fc.constantFrom(
      'const ',
      'a',
      '"x<y"',
      '&amp;',
      '</span>',
      '<span class="x">',
      '// note\n',
      '`$' + '{1}`',
      "'",
      '<b>',
      '{',
      '}',
    );
    fc.assert(
      fc.property(fc.array(word), fc.constantFrom('typescript', 'js', 'xml', 'bash', 'json'), (words, language) => {
        const code = words.join('');
        expect(
          highlight(code, language)
            ?.map(({ text }) => text)
            .join(''),
        ).toBe(code);
      }),
      { seed: 9, numRuns: 300 },
    );
  });

  it('names what its pieces are', () => {
    expect(highlight('const a = 1;', 'ts')?.[0]).toEqual({ text: 'const', names: 'hljs-keyword' });
    expect(highlight('x', 'no such language')).toBeUndefined();
  });

  it('takes every tag that is not its own for text', () => {
    expect(readHighlighted('<img src=x onerror=1><span class="a">b</span>')).toEqual([
      { text: '<img src=x onerror=1>', names: '' },
      { text: 'b', names: 'a' },
    ]);
  });
});
