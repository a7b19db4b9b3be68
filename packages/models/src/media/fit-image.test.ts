import jpeg from 'jpeg-js';
import { describe, expect, it } from 'vitest';
import type { ImagePart } from '../model/history.ts';
import { fitImage } from './fit-image.ts';
import { readImageFacts } from './image-facts.ts';
import { shrinkJpeg } from './jpeg.ts';

const anything = { images: true, audio: false };

function noise(width: number, height: number): Buffer {
  let seed = 7;
  const data = Buffer.alloc(width * height * 4);
  for (let at = 0; at < data.length; at++) {
    seed = Math.imul(seed, 1_664_525) + 1_013_904_223;
    data[at] = at % 4 === 3 ? 255 : seed >>> 24;
  }
  return Buffer.from(jpeg.encode({ width, height, data }, 90).data);
}

function image(bytes: Buffer, mimeType: string): ImagePart {
  return { type: 'image', mimeType, data: bytes.toString('base64') };
}

describe('a JPEG that is too large', () => {
  it('becomes one that fits, of the same shape', async () => {
    const large = noise(300, 200);
    const smaller = Buffer.from((await shrinkJpeg(large, 20_000)) ?? []);
    expect(smaller.length).toBeLessThanOrEqual(20_000);
    const { width = 0, height = 0, mimeType } = readImageFacts(smaller) ?? {};
    expect(mimeType).toBe('image/jpeg');
    expect(width / height).toBeCloseTo(1.5, 1);
  });

  it('is made smaller where only its side is too long', async () => {
    const fitted = await fitImage(image(noise(8200, 8), 'image/jpeg'), anything);
    expect(typeof fitted === 'string' ? fitted : readImageFacts(Buffer.from(fitted.data, 'base64'))).toMatchObject({
      width: 4100,
      height: 4,
    });
  });

  it('is given up in words where it is broken', async () => {
    const broken = Buffer.concat([noise(8200, 8).subarray(0, 700), Buffer.alloc(4_000_000)]);
    expect(await fitImage(image(broken, 'image/jpeg'), anything)).toContain('8200 x 8 pixels');
  });
});

describe('an image', () => {
  it('is sent as what it is, whatever it is called', async () => {
    const small = noise(8, 8);
    expect(await fitImage(image(small, 'image/png'), anything)).toMatchObject({ mimeType: 'image/jpeg' });
  });

  it.each([
    ['a GIF to a model that reads none', Buffer.from(`GIF89a${'x'.repeat(20)}`), 'image/gif', ['image/png']],
    ['a TIFF', Buffer.from(`II*\0${'x'.repeat(20)}`), 'image/tiff', undefined],
    ['a WebP that is too large', Buffer.from(`RIFF....WEBP${'x'.repeat(4_100_000)}`), 'image/webp', undefined],
  ])('is refused in words before it is sent: %s', async (_, bytes, mimeType, imageTypes) => {
    const fitted = await fitImage(image(bytes, mimeType), { ...anything, ...(imageTypes && { imageTypes }) });
    expect(fitted).toMatch(/copy/);
  });
});
