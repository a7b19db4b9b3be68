/** Turns bytes into text. Malformed UTF-8 becomes U+FFFD as the Encoding Standard prescribes, on every platform. */
export interface TextCodec {
  /** The bytes as text if all of them are ASCII, so that byte and text offsets are the same; else undefined. */
  ascii(bytes: Uint8Array): string | undefined;

  utf8(bytes: Uint8Array, start: number, end: number): string;
}

/** The codec that every platform has; Node has a faster one of its own. */
export const webTextCodec: TextCodec = {
  ascii: () => undefined,
  utf8: (bytes, start, end) => decoder.decode(bytes.subarray(start, end)),
};

const decoder = new TextDecoder('utf-8', { ignoreBOM: true });
