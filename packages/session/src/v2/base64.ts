// Web standards only: the package runs in browsers and workers too.

/** How many characters are put together in one call; engines limit the number of arguments. */
const PIECE = 8192;

/** The text in UTF-8, as base64. */
export function encodeText(text: string): string {
  if (isAscii(text)) return btoa(text);
  const bytes = new TextEncoder().encode(text);
  let binary = '';
  for (let start = 0; start < bytes.length; start += PIECE) {
    // Spreading the bytes takes several times as long.
    binary += String.fromCharCode.apply(null, bytes.subarray(start, start + PIECE) as unknown as number[]);
  }
  return btoa(binary);
}

/** Undefined when it is no base64. */
export function decodeBytes(base64: string): Uint8Array | undefined {
  const binary = tryDecode(base64);
  if (binary === undefined) return undefined;
  const bytes = new Uint8Array(binary.length);
  for (let index = 0; index < binary.length; index += 1) bytes[index] = binary.charCodeAt(index);
  return bytes;
}

function tryDecode(base64: string): string | undefined {
  try {
    return atob(base64);
  } catch {
    return undefined;
  }
}

/** Most of what terminals write is; such a text is its own bytes. */
function isAscii(text: string): boolean {
  for (let index = 0; index < text.length; index += 1) if (text.charCodeAt(index) > 0x7f) return false;
  return true;
}
