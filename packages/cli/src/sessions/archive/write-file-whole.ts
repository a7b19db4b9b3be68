import { randomUUID } from 'node:crypto';
import { type FileHandle, open, realpath, rename, rm, stat } from 'node:fs/promises';
import { CliError } from '@parley/host/command-line';

/** Writes a file that is there whole, on disk, or not at all; one that was there before stays until then. */
export async function writeFileWhole(path: string, name: string, pieces: AsyncIterable<string>): Promise<void> {
  try {
    const facts = await stat(path).catch(() => undefined);
    // A device or a pipe is written to; only files can be put in another's place, where a link leads.
    if (facts && !facts.isFile()) return await writeTo(await open(path, 'w'), pieces);
    await replaceFile(facts ? await realpath(path) : path, pieces);
  } catch (error) {
    if (!isSystemError(error)) throw error;
    throw new CliError('output_failed', `${name} could not be written: ${error.message}`, { cause: error });
  }
}

async function replaceFile(path: string, pieces: AsyncIterable<string>): Promise<void> {
  const temporary = `${path}.${randomUUID()}.tmp`;
  try {
    const file = await open(temporary, 'wx', 0o600);
    await writeTo(file, pieces, () => file.sync());
    await rename(temporary, path);
  } catch (error) {
    await rm(temporary, { force: true });
    throw error;
  }
}

async function writeTo(file: FileHandle, pieces: AsyncIterable<string>, finish?: () => Promise<void>): Promise<void> {
  try {
    let waiting = '';
    for await (const piece of pieces) {
      waiting += piece;
      if (waiting.length < CHUNK_CHARACTERS) continue;
      await file.writeFile(waiting);
      waiting = '';
    }
    await file.writeFile(waiting);
    await finish?.();
  } finally {
    await file.close();
  }
}

const CHUNK_CHARACTERS = 65_536;

function isSystemError(error: unknown): error is NodeJS.ErrnoException {
  return error instanceof Error && 'syscall' in error;
}
