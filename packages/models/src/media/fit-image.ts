import type { ImagePart } from '../model/history.ts';
import type { AcceptedContent } from '../model/model.ts';
import { type ImageFacts, readImageFacts } from './image-facts.ts';
import { MAX_SIDE } from './pixels.ts';

/** The least that a provider takes of one medium, counted in base64 as Anthropic does. More would be refused with all the rest. */
export const MAX_MEDIA_CHARACTERS: number = 5 * 1024 * 1024;

const USUAL_TYPES: readonly string[] = ['image/png', 'image/jpeg', 'image/webp', 'image/gif'];

/** An image as a model takes it, or why it cannot have it. */
export async function fitImage(
  part: ImagePart,
  { imageTypes = USUAL_TYPES }: AcceptedContent,
): Promise<ImagePart | string> {
  const bytes = Buffer.from(part.data, 'base64');
  const facts = readImageFacts(bytes);
  // What only says that it is one of them is left to the provider to judge.
  if (!facts && imageTypes.includes(part.mimeType)) {
    return part.data.length <= MAX_MEDIA_CHARACTERS ? part : tooLarge(part.data.length, {});
  }
  if (!facts || !imageTypes.includes(facts.mimeType)) {
    return `this model reads ${imageTypes.map(wordType).join(', ')} only; a copy of that kind can be sent`;
  }
  const known = facts.mimeType === part.mimeType ? part : { ...part, mimeType: facts.mimeType };
  if (part.data.length <= MAX_MEDIA_CHARACTERS && !isTooWide(facts)) return known;
  const smaller = await shrink(bytes, facts);
  return smaller ? { ...known, data: Buffer.from(smaller).toString('base64') } : tooLarge(part.data.length, facts);
}

function isTooWide({ width = 0, height = 0 }: ImageFacts): boolean {
  return Math.max(width, height) > MAX_SIDE;
}

async function shrink(bytes: Buffer, { mimeType }: ImageFacts): Promise<Uint8Array | undefined> {
  const maxBytes = (MAX_MEDIA_CHARACTERS * 3) / 4;
  if (mimeType === 'image/png') return (await import('./png.ts')).shrinkPng(bytes, maxBytes);
  return mimeType === 'image/jpeg' ? (await import('./jpeg.ts')).shrinkJpeg(bytes, maxBytes) : undefined;
}

function tooLarge(characters: number, { width, height }: Pick<ImageFacts, 'width' | 'height'>): string {
  const size = width === undefined ? '' : ` and has ${width} x ${height} pixels`;
  return `it takes ${(characters / 1024 / 1024).toFixed(1)} MB as base64${size}; 5 MB and ${MAX_SIDE} pixels a side are the most that can be sent. A smaller copy of it can be`;
}

function wordType(mimeType: string): string {
  return mimeType.replace('image/', '').toUpperCase();
}
