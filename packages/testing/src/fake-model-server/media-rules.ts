import { type Json, textAt } from './wires/wire.ts';

/** An image or a document as a request has it. */
export interface Medium {
  readonly mimeType: string;
  /** Base64. */
  readonly data: string;
}

/** What one image may weigh as base64, by Anthropic's documentation; the others take more. */
const MAX_IMAGE_CHARS = 5 * 1024 * 1024;
/** The longest side of an image, likewise. */
const MAX_SIDE = 8000;
/** What one document may weigh: requests of 32 MB are the most that Anthropic takes. */
const MAX_DOCUMENT_CHARS = 32 * 1024 * 1024;
const MAX_PAGES = 100;

/** The kinds that every provider reads. */
const KINDS = ['image/png', 'image/jpeg', 'image/gif', 'image/webp', 'application/pdf'];

/** Why a provider would refuse one of these, by what they have in common. Sound and the like is left alone. */
export function findMediaFault(media: readonly Medium[]): string | undefined {
  for (const { mimeType, data } of media) {
    if (!/^(image|application)\//.test(mimeType)) continue;
    if (!KINDS.includes(mimeType)) return `Input should be one of ${KINDS.join(', ')}; it is ${mimeType}`;
    const bytes = Buffer.from(data, 'base64');
    const fault = mimeType === 'application/pdf' ? documentFault(data, bytes) : imageFault(mimeType, data, bytes);
    if (fault !== undefined) return fault;
  }
  return undefined;
}

export function asMedium(source: Json, kindKey: string): Medium {
  return { mimeType: textAt(source, kindKey), data: textAt(source, 'data') };
}

export function readDataUrl(url: string): readonly Medium[] {
  const match = /^data:([^;,]+);base64,(.*)$/s.exec(url);
  return match ? [{ mimeType: match[1] ?? '', data: match[2] ?? '' }] : [];
}

function imageFault(mimeType: string, data: string, bytes: Buffer): string | undefined {
  if (data.length > MAX_IMAGE_CHARS)
    return `image exceeds 5 MB maximum: ${data.length} bytes > ${MAX_IMAGE_CHARS} bytes`;
  if (mimeType !== 'image/png' || bytes.length < 24) return undefined;
  const side = Math.max(bytes.readUInt32BE(16), bytes.readUInt32BE(20));
  return side > MAX_SIDE ? `image dimensions exceed max allowed size: ${MAX_SIDE} pixels` : undefined;
}

function documentFault(data: string, bytes: Buffer): string | undefined {
  if (data.length > MAX_DOCUMENT_CHARS) return 'request_too_large: a document exceeds 32 MB';
  if (!bytes.subarray(0, 5).equals(Buffer.from('%PDF-'))) return 'The PDF specified was not valid.';
  const pages = bytes.toString('latin1').split(/\/Type\s*\/Page\b(?!s)/).length - 1;
  return pages > MAX_PAGES ? `A maximum of ${MAX_PAGES} PDF pages may be provided.` : undefined;
}
