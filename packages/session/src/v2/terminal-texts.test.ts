import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { encodeText } from './base64.ts';
import { TerminalTexts } from './index.ts';

const toBase64 = (bytes: Uint8Array): string => Buffer.from(bytes).toString('base64');

/** Cuts bytes at the places, each piece base64 of its own. */
function pieces(bytes: Uint8Array, places: readonly number[]): string[] {
  const cuts = [0, ...places.map((place) => place % (bytes.length + 1)).sort((a, b) => a - b), bytes.length];
  return cuts.slice(1).map((end, index) => toBase64(bytes.slice(cuts[index], end)));
}

describe('the output of a terminal', () => {
  it('is read piece by piece, wherever characters are cut', () => {
    const text = fc.string({ unit: 'binary', maxLength: 60 });
    fc.assert(
      fc.property(text, fc.array(fc.nat(), { maxLength: 12 }), (written, places) => {
        const terminals = new TerminalTexts();
        const read = pieces(new TextEncoder().encode(written), places).map((data) => terminals.add('t', data));
        expect(read.join('')).toBe(written);
      }),
      { seed: 3, numRuns: 300 },
    );
  });

  it('is read as a decoder of the whole reads it, also where it is no UTF-8', () => {
    const bytes = fc.array(fc.constantFrom(0x41, 0x80, 0xbf, 0xc3, 0xe2, 0x82, 0xf0, 0x9f, 0xff, 0xfe), {
      maxLength: 20,
    });
    fc.assert(
      fc.property(bytes, fc.array(fc.nat(), { maxLength: 6 }), (written, places) => {
        const terminals = new TerminalTexts();
        // A last line ends whatever was begun.
        const all = new Uint8Array([...written, 0x0a]);
        const read = pieces(all, places).map((data) => terminals.add('t', data));
        expect(read.join('')).toBe(new TextDecoder('utf-8', { ignoreBOM: true }).decode(all));
      }),
      { seed: 5, numRuns: 300 },
    );
  });

  it('has padding of its own in each piece', () => {
    const terminals = new TerminalTexts();
    expect(['YQ==', 'Yg==', 'Y2Q='].map((data) => terminals.add('t', data))).toEqual(['a', 'b', 'cd']);
  });

  it('is not mixed with that of another terminal, nor with what it replaces', () => {
    const terminals = new TerminalTexts();
    const [first = 0, second = 0] = new TextEncoder().encode('ü');
    expect(terminals.add('a', toBase64(new Uint8Array([first])))).toBe('');
    expect(terminals.add('b', toBase64(new Uint8Array([0x62])))).toBe('b');
    expect(terminals.add('a', toBase64(new Uint8Array([second])))).toBe('ü');
    terminals.add('a', toBase64(new Uint8Array([first])));
    expect(terminals.replace('a', toBase64(new Uint8Array([0x61, first])))).toBe('a');
    expect(terminals.add('a', toBase64(new Uint8Array([second])))).toBe('ü');
  });

  it('is nothing where it is no base64', () => {
    expect(new TerminalTexts().add('t', '$$$')).toBeUndefined();
    expect(new TerminalTexts().replace('t', 'YQ=')).toBeUndefined();
  });

  it('is written as UTF-8, whatever its length', () => {
    for (const text of ['', 'plain', 'ü 漢 😀', '€'.repeat(50_000), 'x'.repeat(100_000)]) {
      expect(encodeText(text)).toBe(Buffer.from(text).toString('base64'));
    }
  });
});
