import { readFile, rename, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { makeFolder } from '@parley/host/places';
import { asObject, tryParseJson } from '../http/json.ts';
import type { KeptList, ListCache } from './model-lists.ts';

/** Keeps the lists of models in a file. A file that cannot be read or written is no trouble. */
export function fileListCache(path: string): ListCache {
  return {
    async read() {
      const lists = asObject(asObject(tryParseJson(await readFile(path, 'utf8').catch(() => '')))?.lists) ?? {};
      return Object.fromEntries(Object.entries(lists).filter((entry): entry is [string, KeptList] => isKept(entry[1])));
    },
    async write(lists) {
      try {
        await makeFolder(dirname(path));
        const temporary = `${path}.${process.pid}.tmp`;
        await writeFile(temporary, JSON.stringify({ version: 1, lists }), { mode: 0o600 });
        await rename(temporary, path);
      } catch {
        // The next process asks again.
      }
    },
  };
}

function isKept(value: unknown): value is KeptList {
  const { at, models } = asObject(value) ?? {};
  return (
    typeof at === 'number' && Array.isArray(models) && models.every((each) => typeof asObject(each)?.model === 'string')
  );
}
