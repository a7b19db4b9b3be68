import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type Replacement, replaceTexts } from './replace-text.ts';

const replaceText = (text: string, replacement: Replacement) => replaceTexts(text, [replacement]);

describe('replacing text', () => {
  it('keeps the line ends of a Windows file', () => {
    const result = replaceText('a\r\nb\r\nc\r\n', { oldText: 'a\nb', newText: 'x\ny', isEverywhere: false });
    expect(result).toMatchObject({ content: 'x\r\ny\r\nc\r\n', places: 1, differs: [] });
  });

  it('takes what looks like a pattern as plain text', () => {
    const result = replaceText('cost: $1 (a|b)', { oldText: '$1 (a|b)', newText: '$& $1', isEverywhere: false });
    expect(result).toMatchObject({ content: 'cost: $& $1' });
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

  it.each([
    ['curly quotes', 'say(\u201Chi\u201D);\n', 'say("hi");', 'say("ho");', 'say("ho");\n', 'quotes, dashes or blanks'],
    ['blanks at ends of lines', 'a;  \nb;\n', 'a;\nb;', 'c;', 'c;\n', 'white space at the ends of lines'],
    ['a blank too many', 'a;\r\nb;\r\n', 'a; \nb;', 'x;\ny;', 'x;\r\ny;\r\n', 'white space at the ends of lines'],
    [
      'indentation',
      'if (x) {\n\treturn 1;\n}\n',
      'if (x) {\n  return 1;\n}\n',
      'if (x) {\n  log();\n  if (y) {\n    return 2;\n  }\n}\n',
      'if (x) {\n\tlog();\n\tif (y) {\n\t  return 2;\n\t}\n}\n',
      'indentation',
    ],
  ])('overlooks %s, and says so', (_, text, oldText, newText, content, differs) => {
    expect(replaceText(text, { oldText, newText, isEverywhere: false })).toMatchObject({ content, differs: [differs] });
  });

  it('does not choose between two places that are alike', () => {
    const result = replaceText('  a();\n    a();\n', { oldText: '\ta();', newText: 'b();', isEverywhere: false });
    expect(result).toMatchObject({ error: expect.stringContaining('stands 2 times in the file (lines 1, 2)') });
  });

  it('tells where the new texts are after all replacements', () => {
    const replaced = replaceTexts('a b c', [
      { oldText: 'c', newText: 'CC', isEverywhere: false },
      { oldText: 'a', newText: 'AAA', isEverywhere: false },
    ]);
    if ('error' in replaced) throw new Error(replaced.error);
    const { content, ranges } = replaced;
    expect(ranges.map(({ start, end }) => content.slice(start, end))).toEqual(['CC', 'AAA']);
  });
});
