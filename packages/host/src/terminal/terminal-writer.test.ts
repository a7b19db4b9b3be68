import { execFileSync } from 'node:child_process';
import { PassThrough } from 'node:stream';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { quoteWords, safeForTerminal, terminalWriter } from './index.ts';

const ESC = '\u001b';
/** Styles, a line that is rewritten, and line ends. */
const HARMLESS = new RegExp(String.raw`${ESC}\[[\d;]*m|\r${ESC}\[2K|\r\n`, 'g');

describe('what reaches a terminal', () => {
  it.each([
    ['text', 'a\n\tb ü 漢 👩‍👩‍👧'],
    ['bold, dim and colours', `${ESC}[1ma${ESC}[22m${ESC}[31mb${ESC}[39m${ESC}[0m`],
    ['a line that is rewritten', `\r${ESC}[2Kagain`],
    ['line ends of other systems', 'a\r\nb'],
  ])('keeps %s', (_what, text) => {
    expect(safeForTerminal(text)).toBe(text);
  });

  it.each([
    ['the clipboard', `${ESC}]52;c;AAAA\u0007`, '\\u001b]52;c;AAAA\\u0007'],
    ['a title', '\u009d2;pwned\u009c', '\\u009d2;pwned\\u009c'],
    ['clearing', `${ESC}[2J`, '\\u001b[2J'],
    ['another screen', `${ESC}[?1049h`, '\\u001b[?1049h'],
    ['hidden text', `${ESC}[8mx`, '\\u001b[8mx'],
    ['a carriage return', 'safe\rdone', 'safe\\u000ddone'],
    ['turned text', 'a\u202eb', 'a\\u202eb'],
    ['a lone escape', ESC, '\\u001b'],
  ])('spells out %s', (_what, text, shown) => {
    expect(safeForTerminal(text)).toBe(shown);
  });

  it('never holds a sequence that steers, however it is cut into pieces', () => {
    const piece = fc.constantFrom(ESC, '[', ']', '52;c;x', '\u0007', '\u009b', '2J', 'm', '1', ';', 'a', '\r', '\n');
    fc.assert(
      fc.property(fc.array(fc.array(piece)), (writes) => {
        const shown = writes.map((write) => safeForTerminal(write.join(''))).join('');
        const left = shown.replaceAll(HARMLESS, '');
        expect(left).not.toMatch(/[^\P{Cc}\n\t]/u);
      }),
    );
  });

  it('is cleaned for a terminal, also in bytes that are cut inside a character', () => {
    const stream = Object.assign(new PassThrough(), { isTTY: true });
    const writer = terminalWriter(stream);
    const bytes = Buffer.from(`ü${ESC}]0;x\u0007\u009b`);
    for (const byte of bytes) writer.write(Uint8Array.of(byte));
    const shown: Buffer[] = [];
    for (let piece = stream.read(); piece !== null; piece = stream.read()) shown.push(piece);
    expect(Buffer.concat(shown).toString()).toBe('ü\\u001b]0;x\\u0007\\u009b');
  });

  it('is left as it is for a pipe or a file', () => {
    const stream = new PassThrough();
    expect(terminalWriter(stream)).toBe(stream);
  });
});

describe('words for a shell', () => {
  it('are read back by a shell as they were, whatever they hold', () => {
    const word = fc.string({ unit: 'grapheme', maxLength: 12 }).map((text) => text.replaceAll('\u0000', ''));
    const words = fc.array(fc.oneof(word, fc.constantFrom('x; touch PWN #', "it's", '$(id)', `${ESC}]0;x\u0007`, '')));
    fc.assert(
      fc.property(words, (given) => {
        const line = quoteWords(given);
        expect(line).not.toMatch(/\p{Cc}/u);
        const read = execFileSync('bash', ['--norc', '-c', `printf '%s\\0' ${line}`], {
          env: { LC_ALL: 'C.UTF-8' },
        }).toString();
        expect(read).toBe(given.length === 0 ? '\0' : given.map((each) => `${each}\0`).join(''));
      }),
      { numRuns: 50 },
    );
  });
});
