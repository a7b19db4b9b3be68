import { constants } from 'node:fs';
import { open } from 'node:fs/promises';
import { FileError } from './errors.ts';
import { asFileError } from './file-errors.ts';
import type { Place } from './locate.ts';
import { openDirectory } from './open-directory.ts';

/** O_NONBLOCK: opening a pipe must not wait for somebody to write to it. */
const FLAGS = constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK;

/** The bytes of a regular file at a place. */
export async function readWithin(place: Place, maxBytes: number): Promise<Uint8Array> {
  await using directory = await openDirectory(place, { isCreating: false });
  await directory.verify();
  try {
    await using file = await open(directory.pathOf(place.names.at(-1) ?? ''), FLAGS);
    const found = await file.stat();
    if (!found.isFile()) throw notAFile(place.path, found.isDirectory());
    if (found.size > maxBytes) throw tooLarge(place.path, found.size, maxBytes);
    const bytes = await file.readFile();
    // It may have grown since, and files of the system tell no size at all.
    if (bytes.length > maxBytes) throw tooLarge(place.path, bytes.length, maxBytes);
    return bytes;
  } catch (error) {
    throw asFileError(error, place.path);
  }
}

export function notAFile(path: string, isDirectory: boolean): FileError {
  return new FileError('not_a_file', path, `${path} is ${isDirectory ? 'a directory' : 'not a regular file'}.`);
}

function tooLarge(path: string, bytes: number, maxBytes: number): FileError {
  return new FileError('file_too_large', path, `${path} has ${bytes} bytes; at most ${maxBytes} are read.`);
}
