import { mkdir, open, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { shellLine } from '@parley/host/terminal';
import type { Remembered, RememberedStore } from '@parley/policy';
import { CliError } from '../errors.ts';
import type { Places } from '../places.ts';

/** Where answers "always" are kept, by the chat, by `parley exec` and by our own agent alike. */
export const rememberedFile = ({ state }: Places): string => join(state, 'permissions.json');

export interface RememberedFile extends RememberedStore {
  /** Every entry, wherever it holds. */
  all(): Promise<readonly Remembered[]>;
}

/** Remembered decisions in a file that several processes may use at once. */
export function createRememberedFile(path: string): RememberedFile {
  const change = async (work: (entries: readonly Remembered[]) => readonly Remembered[]): Promise<void> => {
    await mkdir(dirname(path), { recursive: true, mode: 0o700 });
    await withLock(`${path}.lock`, async () => {
      const temporary = `${path}.${process.pid}.tmp`;
      await writeFile(temporary, `${JSON.stringify(work(await readEntries(path)), null, 2)}\n`, { mode: 0o600 });
      await rename(temporary, path);
    });
  };
  return {
    all: () => readEntries(path),
    async list(place) {
      const entries = await readEntries(path);
      if (entries.length === 0) return [];
      const { holdsAt } = await import('@parley/policy');
      return entries.filter((entry) => holdsAt(entry, place));
    },
    async save(entry) {
      await change((entries) => [...entries.filter(({ id }) => id !== entry.id), entry].slice(-MAX_ENTRIES));
    },
    async remove(id) {
      let wasThere = false;
      await change((entries) => {
        wasThere = entries.some((entry) => entry.id === id);
        return entries.filter((entry) => entry.id !== id);
      });
      return wasThere;
    },
  };
}

/** Most decisions that are kept; the oldest go first. */
const MAX_ENTRIES = 10_000;
/** A lock this old belongs to a process that was killed while it held it. */
const STALE_LOCK_MS = 10_000;
const LOCK_RETRY_MS = 20;
const MAX_LOCK_WAIT_MS = 15_000;

async function readEntries(path: string): Promise<readonly Remembered[]> {
  const text = await readFile(path, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return '[]';
    throw error;
  });
  const { parseRemembered } = await import('@parley/policy');
  try {
    const value: unknown = JSON.parse(text);
    if (!Array.isArray(value)) throw new TypeError('it is not a list');
    return value.map(parseRemembered);
  } catch (cause) {
    // What was denied must not be forgotten because of a damaged file, so nothing is guessed.
    throw new CliError('settings_invalid', `${path} cannot be read: ${(cause as Error).message}`, {
      cause,
      next: [shellLine`rm ${path}   (forgets every answer "always")`],
    });
  }
}

async function withLock(lockPath: string, work: () => Promise<void>): Promise<void> {
  for (const deadline = Date.now() + MAX_LOCK_WAIT_MS; ; ) {
    try {
      await (await open(lockPath, 'wx', 0o600)).close();
      break;
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST' || Date.now() > deadline) throw error;
      const age =
        Date.now() -
        (await stat(lockPath).then(
          ({ mtimeMs }) => mtimeMs,
          () => Date.now(),
        ));
      if (age > STALE_LOCK_MS) await rm(lockPath, { force: true });
      else await sleep(LOCK_RETRY_MS);
    }
  }
  try {
    await work();
  } finally {
    await rm(lockPath, { force: true });
  }
}
