import type { GuardedFiles } from '@parley/host/files';
import type { FileOperations } from './operations.ts';
import { decodeFile, encodeFor } from './text-encoding.ts';

/** Files of this machine, inside the roots that guard them; a file keeps its encoding. */
export function localFiles(files: GuardedFiles): FileOperations {
  return {
    read: async (path) => decodeFile(await files.readBytes(path), path),
    readBytes: (path) => files.readBytes(path),
    async write(path, content) {
      const before = await files.readBytes(path).catch(() => undefined);
      await files.write(path, encodeFor(before, content, path));
    },
    remove: (path) => files.remove(path),
    move: (from, to) => files.move(from, to),
    list: (path) => files.list(path),
    stat: (path) => files.stat(path),
  };
}
