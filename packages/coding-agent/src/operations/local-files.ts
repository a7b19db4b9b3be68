import type { GuardedFiles } from '@parley/host/files';
import type { FileOperations } from '../tools/operations.ts';

/** Files of this machine, inside the session's roots. */
export function localFiles(files: GuardedFiles): FileOperations {
  return {
    read: (path) => files.readText(path),
    readBytes: (path) => files.readBytes(path),
    write: (path, content) => files.write(path, Buffer.from(content, 'utf8')),
    remove: (path) => files.remove(path),
    move: (from, to) => files.move(from, to),
    list: (path) => files.list(path),
    stat: (path) => files.stat(path),
  };
}
