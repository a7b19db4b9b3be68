import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { Screen } from './screen.ts';

const ESC = '\x1b';

function show(...pieces: string[]): string[] {
  const screen = new Screen();
  for (const piece of pieces) screen.write(piece);
  return screen.lines.map(({ runs }) => runs.map(({ text }) => text).join(''));
}

function looks(output: string): unknown[] {
  const screen = new Screen();
  screen.write(output);
  return screen.lines.flatMap(({ runs }) => runs.map(({ text, style }) => [text, style]));
}

describe('the screen of a terminal', () => {
  it('is the same wherever the output is cut', () => {
    const piece = fc.constantFrom(
      'text',
      'ü漢👩‍👧',
      '\n',
      '\r',
      '\r\n',
      '\b',
      '\t',
      `${ESC}[31m`,
      `${ESC}[0m`,
      `${ESC}[38;5;200m`,
      `${ESC}[48;2;1;2;3m`,
      `${ESC}[2K`,
      `${ESC}[1A`,
      `${ESC}[K`,
      `${ESC}[3C`,
      `${ESC}[2J`,
      `${ESC}[H`,
      `${ESC}]0;title\x07`,
      `${ESC}]8;;http://x${ESC}\\link${ESC}]8;;${ESC}\\`,
      `${ESC}]52;c;AAAA\x07`,
      `${ESC}P1$r${ESC}\\`,
      `${ESC}(B`,
      `${ESC}[?25l`,
      `${ESC}[999999999m`,
      '\x9b1m',
      '\x9d0;x\x9c',
      `${ESC}`,
      `${ESC}[`,
    );
    const output = fc.array(piece, { maxLength: 30 }).map((pieces) => pieces.join(''));
    fc.assert(
      fc.property(output, fc.integer({ min: 1, max: 7 }), (text, size) => {
        const cut = new Screen();
        for (let start = 0; start < text.length; start += size) cut.write(text.slice(start, start + size));
        const whole = new Screen();
        whole.write(text);
        expect(cut.lines).toEqual(whole.lines);
      }),
      { seed: 3, numRuns: 500 },
    );
  });

  it.each([
    ['a progress bar by carriage returns', '10%\r50%\r100%\ndone\n', ['100%', 'done']],
    ['one that moves up', `a: 1\nb: 1\n${ESC}[2Aa: 2\n${ESC}[Bc\n`, ['a: 2', 'b: 1', 'c']],
    ['a line that is erased', `Downloading...${ESC}[2K\rok\n`, ['ok']],
    ['the rest of a line that is erased', `long line\rab${ESC}[K\n`, ['ab']],
    ['backspaces', 'abc\b\bX\n', ['aXc']],
    ['tabs', 'a\tb', ['a       b']],
    ['a screen that is cleared', `old\nlines\n${ESC}[2J${ESC}[Hnew`, ['new']],
    ['a cursor far out of the screen', `x${ESC}[9999A${ESC}[9999Dy`, ['y']],
  ])('shows %s in its last state', (_name, output, expected) => {
    expect(show(output)).toEqual(expected);
  });

  it('keeps colours and drops what it would tell a terminal', () => {
    expect(
      looks(`${ESC}[1;31mred${ESC}[0m plain ${ESC}[38;5;208morange${ESC}[38;2;1;2;3mown${ESC}[39m${ESC}[97;44mbright`),
    ).toEqual([
      ['red', { isBold: true, color: 1 }],
      [' plain ', undefined],
      ['orange', { color: '#ff8700' }],
      ['own', { color: '#010203' }],
      ['bright', { color: 15, background: 4 }],
    ]);
    expect(
      show(`${ESC}]0;evil title\x07a${ESC}]52;c;c2VjcmV0\x07b${ESC}]8;;http://evil${ESC}\\c${ESC}]8;;${ESC}\\d\u202ee`),
    ).toEqual(['abcde']);
  });

  it('goes on after a sequence that never ends', () => {
    expect(show(`${ESC}]0;no end\nnext line\n`, `${ESC}[${'1;'.repeat(400)}`, '\nlast')).toContain('last');
  });

  it('holds only so many lines, and says how many it has dropped', () => {
    const screen = new Screen({ maxLines: 100 });
    for (let line = 0; line < 1000; line += 1) screen.write(`line ${line}\n`);
    expect(screen.lines.length).toBeLessThanOrEqual(126);
    expect(screen.lines.length + screen.droppedLines).toBe(1000);
    expect(screen.lines.at(-1)?.runs[0]?.text).toBe('line 999');
  });

  it('keeps the object of a line that has not changed', () => {
    const screen = new Screen();
    screen.write('one\ntwo');
    const [one, two] = screen.lines;
    screen.write(' more');
    expect(screen.lines[0]).toBe(one);
    expect(screen.lines[1]).not.toBe(two);
  });
});
