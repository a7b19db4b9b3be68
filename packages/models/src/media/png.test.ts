import { crc32, deflateSync, inflateSync } from 'node:zlib';
import { PNG } from 'pngjs';
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

interface Header {
  readonly width: number;
  readonly height: number;
  readonly depth?: number;
  /** The colour type: 0 is grey, 3 a list of colours. */
  readonly type?: number;
  readonly interlace?: number;
}

function headerOf({ width, height, depth = 8, type = 0, interlace = 0 }: Header): Buffer {
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  header.set([depth, type, 0, 0, interlace], 8);
  return header;
}

/** A PNG as anybody could write it, right or wrong. */
function pngOf(header: Header, packed: Buffer, chunks: readonly (readonly [string, Buffer])[] = []): Buffer {
  const all = [['IHDR', headerOf(header)], ...chunks, ['IDAT', packed], ['IEND', Buffer.alloc(0)]] as const;
  const written = all.map(([name, data]) => {
    const body = Buffer.concat([Buffer.from(name, 'latin1'), data]);
    const [length, check] = [Buffer.alloc(4), Buffer.alloc(4)];
    length.writeUInt32BE(data.length);
    check.writeUInt32BE(crc32(body));
    return Buffer.concat([length, body, check]);
  });
  return Buffer.concat([Buffer.from('89504e470d0a1a0a', 'hex'), ...written]);
}

function greyPng(width: number, height: number, depth: number): Buffer {
  const stride = Math.ceil((width * depth) / 8) + 1;
  const { data } = noise(stride, height, 3);
  const lines = data.subarray(0, stride * height);
  for (let y = 0; y < height; y++) lines[y * stride] = 0;
  return pngOf({ width, height, depth }, deflateSync(lines));
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

  it.each([1, 2, 4, 8, 16] as const)('is read with %i bits of grey in a sample', (depth) => {
    const smaller = shrinkPng(greyPng(64, 64, depth), 10_000);
    expect(sizeOf(smaller ?? Buffer.alloc(24))).toEqual([32, 32]);
  });

  it('is read with a list of colours, some of them transparent', () => {
    const palette = Buffer.from([0, 0, 0, 200, 100, 50]);
    const png = pngOf(
      { width: 4, height: 4, depth: 8, type: 3 },
      deflateSync(Buffer.alloc(5 * 4, Buffer.from([0, 1, 1, 1, 1]))),
      [
        ['PLTE', palette],
        ['tRNS', Buffer.from([255, 128])],
      ],
    );
    const { data, alpha } = PNG.sync.read(Buffer.from(shrinkPng(png, 1000) ?? []));
    expect([[...data.subarray(0, 4)], alpha]).toEqual([[200, 100, 50, 128], true]);
  });

  it('is read where other programs have written something behind its end', () => {
    const png = Buffer.concat([writePng(noise(64, 64, 3)), Buffer.from('more')]);
    expect(shrinkPng(png, 10_000)).toBeDefined();
  });

  /** Some hundred kilobytes that unpack to three hundred megabytes. */
  const bomb = deflateSync(Buffer.alloc(300_000_000));

  it.each([
    ['claims more pixels than can be worked at', { width: 20_000, height: 20_000 }, []],
    ['claims more bytes than can be worked at', { width: 7000, height: 7000, depth: 16, type: 6 }, []],
    ['is interlaced, and unpacks to much more than it claims', { width: 64, height: 64, interlace: 1 }, []],
    ['has a second header', { width: 4, height: 4 }, [['IHDR', headerOf({ width: 20_000, height: 20_000 })]]],
    ['has no pixels', { width: 0, height: 0 }, []],
    ['has a colour type that does not exist', { width: 4, height: 4, type: 7 }, []],
  ] as const)('is left alone, and takes no memory, where it %s', (_, header, chunks) => {
    const png = pngOf(header, bomb, chunks);
    const before = process.memoryUsage.rss();
    expect(shrinkPng(png, 1000)).toBeUndefined();
    expect(process.memoryUsage.rss() - before).toBeLessThan(100_000_000);
  });

  it('is left alone where it is none, or broken', () => {
    expect(shrinkPng(Buffer.from('GIF89a'), 10)).toBeUndefined();
    const png = writePng(noise(64, 64, 3));
    expect(shrinkPng(png.subarray(0, 2000), 1000)).toBeUndefined();
    expect(shrinkPng(Buffer.concat([png.subarray(0, 30), Buffer.alloc(100, 255)]), 1000)).toBeUndefined();
  });
});
