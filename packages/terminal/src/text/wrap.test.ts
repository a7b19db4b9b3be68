import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { lineOf, textOfLine } from './styled-text.ts';
import { splitGraphemes, textWidth } from './width.ts';
import { clip, widthOf, withPrefix, wrapHard, wrapOutput, wrapWords } from './wrap.ts';

const SEED = { seed: 7, numRuns: 300 };

const anyCharacter = fc.nat({ max: 0x10ffff }).map((codePoint) => String.fromCodePoint(codePoint));

/** Text as it comes: letters, wide and joined characters, accents, spaces, tabs and worse. */
const anyText = fc
  .array(
    fc.oneof(
      fc.constantFrom(
        'a',
        'word',
        ' ',
        '  ',
        '\t',
        '-',
        '漢字',
        '한글',
        'ｆｕｌｌ',
        'é',
        'e\u0301',
        '👍',
        '👍🏽',
        '👨‍👩‍👧‍👦',
        '🇩🇪',
        '❤️',
        '1️⃣',
      ),
      fc.string({ unit: 'grapheme', maxLength: 6 }),
      anyCharacter,
      fc.constantFrom('\u0300'.repeat(80), '\u200b', '\u200d', '\u202e', 'x'.repeat(50)),
    ),
    { maxLength: 40 },
  )
  .map((pieces) => pieces.join(''));

const withoutSpace = (text: string): string => text.replace(/[ \t\n]/g, '');

describe('splitting', () => {
  it('finds the same characters in a long text as in a short one', () => {
    const family = '👩‍👩‍👧‍👦';
    const flag = '🇩🇪';
    const marked = `e${'\u0301'.repeat(300)}`;
    const unit = [family, 'a', flag, flag, '漢', marked, 'é', '\n'];
    const units = Array.from({ length: 100 }, () => unit).flat();
    expect(splitGraphemes(units.join(''))).toEqual(units);
  });
});

describe('wrapping', () => {
  it('breaks between words', () => {
    const lines = wrapWords(lineOf('the quick brown fox jumps'), 10);
    expect(lines.map(textOfLine)).toEqual(['the quick', 'brown fox', 'jumps']);
  });

  it('breaks a word that is wider than the line', () => {
    const lines = wrapWords(lineOf('see https://example.org/a/long/path now'), 12);
    expect(lines.map(textOfLine)).toEqual(['see https://', 'example.org/', 'a/long/path', 'now']);
  });

  it('keeps a word together that changes its style', () => {
    const lines = wrapWords([{ text: 'call ' }, { text: 'run', style: { isBold: true } }, { text: '(), then' }], 10);
    expect(lines.map(textOfLine)).toEqual(['call', 'run(),', 'then']);
  });

  it('counts wide characters as two columns', () => {
    expect(wrapHard(lineOf('漢字漢字漢'), 5).map(textOfLine)).toEqual(['漢字', '漢字', '漢']);
  });

  it('keeps the spaces of code', () => {
    expect(wrapHard(lineOf('    if (x)'), 6).map(textOfLine)).toEqual(['    if', ' (x)']);
  });

  it('breaks output at its spaces, keeps those that align it, and breaks a word only where it must', () => {
    const rows = (text: string, width: number): string[] => wrapOutput(lineOf(text), width).map(textOfLine);
    expect(rows('hello.txt already has exactly this content', 26)).toEqual([
      'hello.txt already has',
      'exactly this content',
    ]);
    expect(rows('  a   12  first', 12)).toEqual(['  a   12', 'first']);
    expect(rows('in src/a/very/long/path.ts', 12)).toEqual(['in src/a/ver', 'y/long/path.', 'ts']);
    const styled = wrapOutput([{ text: 'call ' }, { text: 'run', style: { isBold: true } }, { text: '() now' }], 8);
    expect(styled.map(textOfLine)).toEqual(['call', 'run()', 'now']);
  });

  it('marks where a line was cut', () => {
    expect(textOfLine(clip(lineOf('a long line'), 6))).toBe('a lon…');
    expect(textOfLine(clip(lineOf('short'), 6))).toBe('short');
  });

  it('indents the rows after the first as much as the first', () => {
    const lines = withPrefix(wrapWords(lineOf('one two'), 4), lineOf('› '));
    expect(lines.map(textOfLine)).toEqual(['› one', '  two']);
  });

  it('never makes a line wider than asked, whatever the text', () => {
    fc.assert(
      fc.property(anyText, fc.integer({ min: 1, max: 40 }), (text, width) => {
        for (const lines of [
          wrapWords(lineOf(text), width),
          wrapHard(lineOf(text), width),
          wrapOutput(lineOf(text), width),
          [clip(lineOf(text), width)],
        ]) {
          for (const line of lines) expect(widthOf(line)).toBeLessThanOrEqual(width);
        }
      }),
      SEED,
    );
  });

  it('loses nothing but spaces', () => {
    fc.assert(
      fc.property(anyText, fc.integer({ min: 2, max: 40 }), (text, width) => {
        expect(withoutSpace(wrapWords(lineOf(text), width).map(textOfLine).join(''))).toBe(withoutSpace(text));
        expect(withoutSpace(wrapOutput(lineOf(text), width).map(textOfLine).join(''))).toBe(withoutSpace(text));
        expect(withoutSpace(wrapHard(lineOf(text), width).map(textOfLine).join(''))).toBe(withoutSpace(text));
      }),
      SEED,
    );
  });

  it('adds up the widths of characters', () => {
    fc.assert(
      fc.property(anyText, (text) => {
        const parts = splitGraphemes(text).reduce((sum, grapheme) => sum + textWidth(grapheme), 0);
        expect(parts).toBe(textWidth(text));
      }),
      SEED,
    );
  });
});
