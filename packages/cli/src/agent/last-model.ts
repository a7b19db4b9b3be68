import { readFile, rename, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import type { LastModel } from '@parley/coding-agent';
import { makeFolder } from '@parley/host/places';

/** The model that the person chose last, in a file. One that cannot be read or written is as good as none. */
export function lastModelFile(path: string): LastModel {
  return {
    async load() {
      try {
        const { model } = JSON.parse(await readFile(path, 'utf8')) as { model?: unknown };
        return typeof model === 'string' ? model : undefined;
      } catch {
        return undefined;
      }
    },
    async save(model) {
      const temporary = `${path}.${process.pid}.tmp`;
      try {
        await makeFolder(dirname(path));
        await writeFile(temporary, `${JSON.stringify({ model })}\n`, { mode: 0o600 });
        await rename(temporary, path);
      } catch {
        // The session has its model all the same.
      }
    },
  };
}
