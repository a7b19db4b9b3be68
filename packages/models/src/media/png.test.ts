import { inflateSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import type { Pixels } from './pixels.ts';
import { shrinkPng, writePng } from './png.ts';

/** Noise, which no compression makes smaller, the same in each run. */
function noise(width: number, height: number, samples: 3 | 4): Pixels {
  let seed = 7;
  const data = Buffer.alloc(width * height * samples);
  for (let at = 0; at < data.length; at++) {
    seed = Math.imul(seed, 1_664_525) + 1_013_904_223;
    data[at] = seed >>> 24;
  }
  return { width, height, samples, data };
}

function sizeOf(png: Uint8Array): readonly [number, number] {
  const file = Buffer.from(png);
  return [file.readUInt32BE(16), file.readUInt32BE(20)];
}

describe('a PNG that is too large', () => {
  it.each([3, 4] as const)('becomes one that fits, with %i samples', (samples) => {
    const png = writePng(noise(601, 400, samples));
    expect(png.length).toBeGreaterThan(700_000);
    const smaller = shrinkPng(png, 300_000);
    expect(smaller?.length).toBeLessThanOrEqual(300_000);
    const [width, height] = sizeOf(smaller ?? png);
    expect(width / height).toBeCloseTo(601 / 400, 1);
    const lines = inflateSync(Buffer.from(smaller ?? png).subarray(41, -16));
    expect(lines).toHaveLength((width * samples + 1) * height);
  });

  it('has the average colours of the large one', () => {
    const data = Buffer.alloc(4 * 4 * 3);
    // The left half is red, and in the right half every second line is blue.
    for (let at = 0; at < 16; at++) data.set(at % 4 < 2 ? [200, 0, 0] : [0, 0, at % 8 < 4 ? 100 : 0], at * 3);
    const smaller = shrinkPng(writePng({ width: 4, height: 4, samples: 3, data }), 100);
    expect(sizeOf(smaller ?? data)).toEqual([2, 2]);
    const lines = inflateSync(Buffer.from(smaller ?? data).subarray(41, -16));
    // Each line: its filter, the first pixel, and the difference of the second to it.
    expect([...lines]).toEqual([1, 200, 0, 0, 56, 0, 50, 1, 200, 0, 0, 56, 0, 50]);
  });

  it('is left alone where it is none, or broken', () => {
    expect(shrinkPng(Buffer.from('GIF89a'), 10)).toBeUndefined();
    const png = writePng(noise(64, 64, 3));
    expect(shrinkPng(png.subarray(0, 2000), 1000)).toBeUndefined();
    expect(shrinkPng(Buffer.concat([png.subarray(0, 30), Buffer.alloc(100, 255)]), 1000)).toBeUndefined();
  });
});
