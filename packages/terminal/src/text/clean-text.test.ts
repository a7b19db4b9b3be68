import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { cleanLine, cleanText } from './clean-text.ts';
import { parseCommandOutput, tailOfOutput } from './command-output.ts';
import { paint } from './paint.ts';
import { lineOf, textOfLine } from './styled-text.ts';

const ESC = '\u001b';
const anyCharacter = fc.nat({ max: 0x10ffff }).map((codePoint) => String.fromCodePoint(codePoint));

describe('cleaning', () => {
  it.each([
    ['moving the cursor', `a${ESC}[2Ab`],
    ['colours', `a${ESC}[1;31mb`],
    ['a title', `a${ESC}]2;pwned\u0007b`],
    ['a link', `a${ESC}]8;;http://evil${ESC}\\b`],
    ['a device control string', `a${ESC}P1$r0m${ESC}\\b`],
    ['a one-character sequence', `a\u009b2Jb`],
    ['a reset', `a${ESC}cb`],
    ['a bell and a backspace', 'a\u0007\u0008b'],
    ['turned text', 'a\u202eb'],
    ['a carriage return', 'a\rb'],
    ['a blank of no width', 'a\u200b\ufeffb'],
    ['letters that nobody sees', 'a\u{e0001}\u{e0068}\u{e0069}b'],
  ])('takes out %s', (_what, text) => {
    expect(cleanText(text)).toBe('ab');
  });

  it('keeps emoji that are joined, and flags that are spelled with tags', () => {
    const emoji = '👩‍👩‍👧 🏴󠁧󠁢󠁳󠁣󠁴󠁿';
    expect(cleanText(emoji)).toBe(emoji);
  });

  it('keeps line breaks and tabs, and one line on one line', () => {
    expect(cleanText('a\n\tb')).toBe('a\n\tb');
    expect(cleanLine('a\n\tb')).toBe('a b');
  });

  it('lets a sequence without end swallow no further line', () => {
    expect(cleanText(`a${ESC}]0;title\nb`)).toBe('a\nb');
  });

  it('leaves nothing that steers a terminal, whatever comes', () => {
    const pieces = fc.constantFrom(
      ESC,
      '[',
      ']',
      '2J',
      'm',
      '\u0007',
      '\u009d',
      '\\',
      '\r',
      'a',
      ';',
      '?25l',
      '\u202e',
    );
    fc.assert(
      fc.property(fc.array(fc.oneof(pieces, anyCharacter), { maxLength: 20 }), (parts) => {
        const painted = paint(lineOf(parts.join('')), { hasColor: true });
        expect(painted).not.toMatch(/[\p{Cc}\p{Bidi_Control}]/u);
      }),
      { seed: 7, numRuns: 500 },
    );
  });
});

describe('the output of a command', () => {
  it('keeps its colours and nothing else', () => {
    const [line = []] = parseCommandOutput(`${ESC}[32mok${ESC}[0m ${ESC}[2Kdone`);
    expect(line).toEqual([{ text: 'ok', style: { foreground: '32' } }, { text: ' ' }, { text: 'done' }]);
  });

  it('knows colours of all kinds', () => {
    const style = (sgr: string): unknown => parseCommandOutput(`${ESC}[${sgr}mx`)[0]?.[0]?.style;
    expect(style('38;5;208')).toEqual({ foreground: '38;5;208' });
    expect(style('48;2;1;2;3')).toEqual({ background: '48;2;1;2;3' });
    expect(style('1;91')).toEqual({ isBold: true, foreground: '91' });
    expect(style('31;39')).toEqual({});
    expect(style('8')).toBeUndefined();
  });

  it('shows the last state of a progress bar', () => {
    expect(parseCommandOutput('10%\r50%\r100%\ndone\r\n').map(textOfLine)).toEqual(['100%', 'done']);
  });

  it('carries a colour over lines', () => {
    const lines = parseCommandOutput(`${ESC}[31ma\nb${ESC}[m\nc`);
    expect(lines.map((line) => line[0]?.style?.foreground)).toEqual(['31', '31', undefined]);
  });

  it('reads only the last lines of a long output', () => {
    expect(tailOfOutput('a\nb\nc\nd\n', 2).map(textOfLine)).toEqual(['c', 'd']);
    expect(tailOfOutput('a', 3).map(textOfLine)).toEqual(['a']);
    expect(tailOfOutput('', 3)).toEqual([]);
  });
});

describe('painting', () => {
  it('changes styles with as few codes as need be', () => {
    const line = [{ text: 'a' }, { text: 'b', style: { isBold: true, foreground: '31' } }, { text: 'c' }];
    expect(paint(line, { hasColor: true })).toBe(`a${ESC}[1;31mb${ESC}[0mc`);
    expect(paint(line, { hasColor: false })).toBe(`a${ESC}[1mb${ESC}[0mc`);
  });
});
