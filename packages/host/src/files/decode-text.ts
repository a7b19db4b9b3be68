import { FileError } from './errors.ts';

/** The bytes as text; a file that is not UTF-8, or that holds a NUL, is not a text file. */
export function decodeText(bytes: Uint8Array, path: string): string {
  if (bytes.includes(0)) throw binary(path);
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch (cause) {
    throw binary(path, cause);
  }
}

function binary(path: string, cause?: unknown): FileError {
  return new FileError('file_binary', path, `${path} is not a text file in UTF-8.`, { cause });
}
