import { FileError } from '@parley/host/files';

export type TextEncoding = 'utf-8' | 'utf-16le' | 'utf-16be' | 'windows-1252';

const BYTE_ORDER_MARK = '\uFEFF';
/** How much of a file without a mark is looked at. */
const LOOK_BYTES = 4096;

/** What a file holds, in whatever encoding; throws `file_binary` for what is no text. */
export function decodeFile(bytes: Uint8Array, path: string): string {
  const encoding = encodingOf(bytes);
  if (encoding === undefined) throw new FileError('file_binary', path, `${path} is not a text file.`);
  if (encoding === 'windows-1252') return decodeWindows(bytes);
  const text = new TextDecoder(encoding, { ignoreBOM: true }).decode(bytes);
  // Only in UTF-8 is the mark a part of the text that editors show and keep.
  return encoding === 'utf-8' ? text : text.replace(BYTE_ORDER_MARK, '');
}

/** A new text for a file, in the encoding that the file has; UTF-8 for one that is not there, or was no text. */
export function encodeFor(before: Uint8Array | undefined, text: string, path: string): Uint8Array {
  const encoding = (before && before.length > 0 && encodingOf(before)) || 'utf-8';
  if (encoding === 'utf-8') return Buffer.from(text, 'utf8');
  if (encoding === 'windows-1252') return encodeWindows(text, path);
  const hasMark = before !== undefined && (before[0] === 0xff || before[0] === 0xfe);
  const units = Buffer.from(hasMark ? BYTE_ORDER_MARK + text : text, 'utf16le');
  return encoding === 'utf-16be' ? units.swap16() : units;
}

function encodingOf(bytes: Uint8Array): TextEncoding | undefined {
  const [first, second] = bytes;
  if (bytes.length % 2 === 0) {
    if (first === 0xff && second === 0xfe) return 'utf-16le';
    if (first === 0xfe && second === 0xff) return 'utf-16be';
  }
  if (bytes.includes(0)) return bytes.length % 2 === 0 ? unmarkedUnits(bytes) : undefined;
  try {
    new TextDecoder('utf-8', { fatal: true }).decode(bytes);
    return 'utf-8';
  } catch {
    return bytes.some(isControl) ? undefined : 'windows-1252';
  }
}

/** In mostly Latin text every other byte is zero; in anything else none of this holds. */
function unmarkedUnits(bytes: Uint8Array): TextEncoding | undefined {
  const looked = bytes.subarray(0, LOOK_BYTES);
  const zeros = [0, 0];
  for (const [index, byte] of looked.entries()) if (byte === 0) zeros[index % 2] = (zeros[index % 2] ?? 0) + 1;
  const [even = 0, odd = 0] = zeros;
  const half = looked.length / 2;
  if (even === 0 && odd > half * 0.7)
    return looked.some((byte) => byte !== 0 && isControl(byte)) ? undefined : 'utf-16le';
  if (odd === 0 && even > half * 0.7)
    return looked.some((byte) => byte !== 0 && isControl(byte)) ? undefined : 'utf-16be';
  return undefined;
}

/** Signs that no text has, besides tabs, line ends, form feeds and the escape of colours. */
function isControl(byte: number): boolean {
  return byte < 0x20 && byte !== 0x09 && byte !== 0x0a && byte !== 0x0c && byte !== 0x0d && byte !== 0x1b;
}

/** What Windows-1252 has for the bytes from 0x80 to 0x9f, where Latin-1 has nothing that is seen. */
const WINDOWS =
  '\u20ac\u0081\u201a\u0192\u201e\u2026\u2020\u2021\u02c6\u2030\u0160\u2039\u0152\u008d\u017d\u008f' +
  '\u0090\u2018\u2019\u201c\u201d\u2022\u2013\u2014\u02dc\u2122\u0161\u203a\u0153\u009d\u017e\u0178';

/** By hand: some versions of Node take it for Latin-1. */
function decodeWindows(bytes: Uint8Array): string {
  return Buffer.from(bytes)
    .toString('latin1')
    .replace(/[\u0080-\u009f]/g, (character) => WINDOWS[character.charCodeAt(0) - 0x80] ?? character);
}

function encodeWindows(text: string, path: string): Uint8Array {
  const bytes = [...text].map((character) => {
    const special = WINDOWS.indexOf(character);
    if (special >= 0) return 0x80 + special;
    const code = character.codePointAt(0) ?? 0;
    if (code < 0x80 || (code >= 0xa0 && code <= 0xff)) return code;
    const message = `${path} is in Windows-1252, which has no "${character}"; nothing was written.`;
    throw new FileError('file_failed', path, message);
  });
  return Uint8Array.from(bytes);
}
