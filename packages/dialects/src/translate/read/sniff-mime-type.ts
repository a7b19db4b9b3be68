/** The first bytes of the media types that prompts carry, as binary strings. */
const SIGNATURES: readonly (readonly [signature: string, offset: number, mimeType: string])[] = [
  ['\x89PNG', 0, 'image/png'],
  ['\xff\xd8\xff', 0, 'image/jpeg'],
  ['GIF8', 0, 'image/gif'],
  ['WEBP', 8, 'image/webp'],
  ['<svg', 0, 'image/svg+xml'],
  ['WAVE', 8, 'audio/wav'],
  ['OggS', 0, 'audio/ogg'],
  ['fLaC', 0, 'audio/flac'],
  ['ID3', 0, 'audio/mpeg'],
  ['\xff\xfb', 0, 'audio/mpeg'],
  ['\xff\xf1', 0, 'audio/aac'],
];

const UNKNOWN = 'application/octet-stream';

/** The media type that base64 data shows by its first bytes, for peers that leave it out (S3:258). */
export function sniffMimeType(base64: string): string {
  const head = decodeHead(base64);
  return SIGNATURES.find(([signature, offset]) => head.startsWith(signature, offset))?.[2] ?? UNKNOWN;
}

function decodeHead(base64: string): string {
  try {
    return atob(base64.slice(0, 16));
  } catch {
    return '';
  }
}
