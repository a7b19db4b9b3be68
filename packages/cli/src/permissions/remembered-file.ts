import { readFile, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { CliError } from '@parley/host/command-line';
import { shellLine } from '@parley/host/terminal';
import type { Remembered, RememberedStore } from '@parley/policy';
import { wordFileError } from '../config/word-file-error.ts';
import { withFileLock } from '../file-lock.ts';
import type { Places } from '../places.ts';

/** Where answers "always" are kept, by the chat, by `parley exec` and by our own agent alike. */
export const rememberedFile = ({ state }: Places): string => join(state, 'permissions.json');

export interface RememberedFile extends RememberedStore {
  /** Every entry, wherever it holds. */
  all(): Promise<readonly Remembered[]>;
}

/** Remembered decisions in a file that several processes may use at once. What is for one session is for one of this agent. */
export function createRememberedFile(path: string, agent?: string): RememberedFile {
  const ofAgent = agent === undefined ? {} : { agent };
  const change = async (work: (entries: readonly Remembered[]) => readonly Remembered[]): Promise<void> => {
    await withFileLock(path, async () => {
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
      return entries.filter((entry) => holdsAt(entry, { ...place, ...ofAgent }));
    },
    async save(entry) {
      const kept = entry.scope === 'session' ? { ...entry, ...ofAgent } : entry;
      await change((entries) => [...entries.filter((each) => !isReplaced(each, kept)), kept].slice(-MAX_ENTRIES));
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

/** The same answer need not be kept twice; and one for a session that nobody has used for so long is over. */
function isReplaced(before: Remembered, entry: Remembered): boolean {
  if (before.id === entry.id || SAME.every((name) => isEqual(before[name], entry[name]))) return true;
  return before.scope === 'session' && Date.parse(entry.createdAt) - Date.parse(before.createdAt) > MAX_SESSION_MS;
}

/** What makes two answers the same. */
const SAME = ['effect', 'scope', 'belongsTo', 'agent', 'folder', 'what'] as const;

function isEqual(left: unknown, right: unknown): boolean {
  return JSON.stringify(left) === JSON.stringify(right);
}

const MAX_SESSION_MS = 30 * 24 * 60 * 60 * 1000;

/** Most decisions that are kept; the oldest go first. */
const MAX_ENTRIES = 10_000;

async function readEntries(path: string): Promise<readonly Remembered[]> {
  const text = await readFile(path, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return '[]';
    throw error;
  });
  const { identifiesRequest, parseRemembered } = await import('@parley/policy');
  try {
    const value: unknown = JSON.parse(text);
    if (!Array.isArray(value)) throw new TypeError('it is not a list');
    // Earlier versions also kept answers to requests that said nothing but their kind: those would allow anything.
    return value.map(parseRemembered).filter(({ what }) => what.type === 'rule' || identifiesRequest(what.key));
  } catch (cause) {
    // What was denied must not be forgotten because of a damaged file, so nothing is guessed.
    throw new CliError('settings_invalid', `${path} cannot be read: ${wordFileError(cause)}`, {
      cause,
      next: [shellLine`rm ${path}   (forgets every answer "always")`],
    });
  }
}
