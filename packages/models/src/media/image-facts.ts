/** What the first bytes of an image say about it, whatever it is called. */
export interface ImageFacts {
  readonly mimeType: string;
  /** Undefined where the header does not tell. */
  readonly width?: number;
  readonly height?: number;
  readonly isAnimated?: boolean;
}

/** Undefined where it is none of the images that models read. */
export function readImageFacts(bytes: Buffer): ImageFacts | undefined {
  if (bytes.length < 16) return undefined;
  if (bytes.readUInt32BE(0) === 0x89504e47 && bytes.length >= 24) {
    return { mimeType: 'image/png', width: bytes.readUInt32BE(16), height: bytes.readUInt32BE(20) };
  }
  if (bytes.readUInt16BE(0) === 0xffd8) return { mimeType: 'image/jpeg', ...jpegSize(bytes) };
  const text = bytes.toString('latin1', 0, 16);
  if (/^GIF8[79]a/.test(text)) {
    const isAnimated = bytes.includes('NETSCAPE2.0');
    return { mimeType: 'image/gif', width: bytes.readUInt16LE(6), height: bytes.readUInt16LE(8), isAnimated };
  }
  return /^RIFF.{4}WEBP/s.test(text) ? { mimeType: 'image/webp' } : undefined;
}

/** The size stands in the first frame header (ISO 10918-1, section B.2.2). */
function jpegSize(bytes: Buffer): Pick<ImageFacts, 'width' | 'height'> {
  for (let at = 2; at + 9 < bytes.length && bytes[at] === 0xff; ) {
    const marker = bytes[at + 1] ?? 0;
    const isFrame = marker >= 0xc0 && marker <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(marker);
    if (isFrame) return { height: bytes.readUInt16BE(at + 5), width: bytes.readUInt16BE(at + 7) };
    at += 2 + bytes.readUInt16BE(at + 2);
  }
  return {};
}
