import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Key } from './key.ts';
import { KeyDecoder } from './key-decoder.ts';

const ESC = '\u001b';
const anyCharacter = fc.nat({ max: 0xffff }).map((code) => String.fromCharCode(code));

function names(keys: readonly Key[]): string[] {
  return keys.map((key) => (key.type === 'key' ? key.name : `${key.type}:${key.text}`));
}

function decode(input: string): string[] {
  const decoder = new KeyDecoder();
  return names([...decoder.push(input), ...decoder.flush()]);
}

describe('keys', () => {
  it.each([
    ['a', 'text:a'],
    ['héllo 漢字 👍', 'text:héllo 漢字 👍'],
    ['\r', 'enter'],
    ['\n', 'ctrl+j'],
    ['\t', 'tab'],
    ['\u007f', 'backspace'],
    ['\u0008', 'backspace'],
    ['\u0001', 'ctrl+a'],
    ['\u001a', 'ctrl+z'],
    ['\u001f', 'ctrl+_'],
    [ESC, 'escape'],
    [`${ESC}[A`, 'up'],
    [`${ESC}OB`, 'down'],
    [`${ESC}[1;5C`, 'ctrl+right'],
    [`${ESC}[1;3D`, 'alt+left'],
    [`${ESC}${ESC}[D`, 'alt+left'],
    [`${ESC}[Z`, 'shift+tab'],
    [`${ESC}[3~`, 'delete'],
    [`${ESC}[H`, 'home'],
    [`${ESC}[4~`, 'end'],
    [`${ESC}b`, 'alt+b'],
    [`${ESC}\r`, 'alt+enter'],
    [`${ESC}\u007f`, 'alt+backspace'],
    [`${ESC}[13;2u`, 'shift+enter'],
    [`${ESC}[99;5u`, 'ctrl+c'],
    [`${ESC}[1089::99;5u`, 'ctrl+c'],
    [`${ESC}[1089::99u`, 'text:с'],
    [`${ESC}[27u`, 'escape'],
    [`${ESC}[97;2u`, 'text:A'],
    [`${ESC}[27;2;13~`, 'shift+enter'],
    [`${ESC}[`, 'alt+['],
  ])('reads %j as %s', (input, expected) => {
    expect(decode(input)).toEqual([expected]);
  });

  it('tells when the window gets and loses the keyboard, apart from the keys', () => {
    const reports: boolean[] = [];
    const decoder = new KeyDecoder((isInFront) => reports.push(isInFront));
    expect(names(decoder.push(`a${ESC}[O${ESC}OB${ESC}[Ib`))).toEqual(['text:a', 'down', 'text:b']);
    expect(reports).toEqual([false, true]);
  });

  it('ignores what terminals answer by themselves', () => {
    expect(decode(`${ESC}[?2026;2$y${ESC}]11;rgb:00/00/00${ESC}\\${ESC}[Ix`)).toEqual(['text:x']);
  });

  it('waits for the rest of a sequence', () => {
    const decoder = new KeyDecoder();
    expect(decoder.push(ESC)).toEqual([]);
    expect(decoder.isWaiting).toBe(true);
    expect(names(decoder.push('[1;'))).toEqual([]);
    expect(names(decoder.push('5Dx'))).toEqual(['ctrl+left', 'text:x']);
    expect(decoder.isWaiting).toBe(false);
  });

  it('reads a paste as one thing, however it is cut', () => {
    const input = `a${ESC}[200~one\r\ntwo\r${ESC}[31mthree${ESC}[201~b`;
    const expected = ['text:a', 'paste:one\ntwo\nthree', 'text:b'];
    expect(decode(input)).toEqual(expected);
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 0, max: input.length }), { maxLength: 6 }), (cuts) => {
        const decoder = new KeyDecoder();
        const places = [0, ...cuts.sort((left, right) => left - right), input.length];
        const keys = places.slice(1).flatMap((end, index) => decoder.push(input.slice(places[index], end)));
        expect(names(keys)).toEqual(expected);
      }),
      { seed: 7 },
    );
  });

  it('reads any bytes without failing, and keeps little of them', () => {
    fc.assert(
      fc.property(
        fc.array(fc.oneof(fc.constantFrom(ESC, '[', ']', '200~', ';', 'u', 'O', '~'), anyCharacter), { maxLength: 40 }),
        (chunks) => {
          const decoder = new KeyDecoder();
          for (const chunk of chunks) decoder.push(chunk);
          decoder.flush();
          expect(decoder.isWaiting).toBe(false);
        },
      ),
      { seed: 7 },
    );
  });
});
