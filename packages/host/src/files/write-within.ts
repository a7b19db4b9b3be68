import { randomBytes } from 'node:crypto';
import { constants } from 'node:fs';
import { open, rename, unlink } from 'node:fs/promises';
import { asFileError, codeOf } from './file-errors.ts';
import type { Place } from './locate.ts';
import { openDirectory } from './open-directory.ts';
import { notAFile } from './read-within.ts';

const { O_CREAT, O_EXCL, O_NOFOLLOW, O_NONBLOCK, O_WRONLY } = constants;

/**
 * Puts the bytes into the file at a place, with the directories above it. They are written beside it first and then
 * take its place in one step: nobody ever sees half a file, and a hard link to some other file is not written through.
 */
export async function writeWithin(place: Place, bytes: Uint8Array): Promise<void> {
  await using directory = await openDirectory(place, { isCreating: true });
  const target = directory.pathOf(place.names.at(-1) ?? '');
  const draft = directory.pathOf(`.parley-${randomBytes(8).toString('hex')}.tmp`);
  try {
    const mode = await modeOf(target, place.path);
    await directory.verify();
    await writeDraft(draft, bytes, mode);
    try {
      await directory.verify();
      await rename(draft, target);
    } catch (error) {
      await unlink(draft).catch(() => {});
      throw error;
    }
  } catch (error) {
    throw asFileError(error, place.path);
  }
}

/** The mode of the file that is replaced, which must be a regular one that may be written; undefined when there is none. */
async function modeOf(target: string, path: string): Promise<number | undefined> {
  try {
    await using file = await open(target, O_WRONLY | O_NOFOLLOW | O_NONBLOCK);
    const found = await file.stat();
    if (!found.isFile()) throw notAFile(path, found.isDirectory());
    // The one who may do everything could replace it all the same; the mark says that nobody should.
    if ((found.mode & 0o222) === 0) throw Object.assign(new Error('marked read-only'), { code: 'EACCES' });
    return found.mode & 0o7777;
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return undefined;
    throw error;
  }
}

async function writeDraft(draft: string, bytes: Uint8Array, mode: number | undefined): Promise<void> {
  try {
    await using file = await open(draft, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW, 0o666);
    await file.writeFile(bytes);
    if (mode !== undefined) await file.chmod(mode);
  } catch (error) {
    await unlink(draft).catch(() => {});
    throw error;
  }
}
