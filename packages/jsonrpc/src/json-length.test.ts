import fc from 'fast-check';
import { expect, it } from 'vitest';
import { leastJsonLength, MOST_BYTES_PER_CHARACTER } from './json-length.ts';

it('tells bounds of the size of any JSON value', () => {
  fc.assert(
    fc.property(fc.jsonValue(), (value) => {
      const text = JSON.stringify(value);
      const least = leastJsonLength(value);
      // A number may be written with an exponent in one place and without in the other: `-0` is the only one we know.
      expect(least).toBeLessThanOrEqual(text.length + 1);
      expect(Buffer.byteLength(text)).toBeLessThanOrEqual(least * MOST_BYTES_PER_CHARACTER);
    }),
    { seed: 1, numRuns: 2000 },
  );
});
