import { type Client, ClientRefusedError } from '@parley/agent';
import type { GuardedFiles } from '@parley/host/files';
import { localFiles } from './local-files.ts';
import { FileMissingError, type FileOperations } from './operations.ts';

/** The files of the workspace and no others: the client's where it offers them, else our own. */
export function workspaceFiles(client: Client, files: GuardedFiles): FileOperations {
  const local = localFiles(files);
  const { readTextFile, writeTextFile } = client.offers;
  return readTextFile || writeTextFile ? clientFiles(client, local) : local;
}

/**
 * Text through the client, which knows unsaved changes and shows what is written; the rest on this machine. Everything
 * is looked up here first, so a path outside the roots never reaches the client.
 */
function clientFiles(client: Client, local: FileOperations): FileOperations {
  const { readTextFile, writeTextFile } = client.offers;
  const readByClient = async (path: string, options: Parameters<Client['readTextFile']>[1]): Promise<string> => {
    const onDisk = await local.stat(path);
    try {
      return await client.readTextFile(path, options);
    } catch (error) {
      // Clients disagree on the code for a missing file, so the disk decides what kind of failure it was.
      if (error instanceof ClientRefusedError && onDisk === undefined) throw new FileMissingError(path);
      throw error;
    }
  };
  return {
    ...local,
    read: (path, options = {}) => (readTextFile ? readByClient(path, options) : local.read(path, options)),
    ...(readTextFile && { readLines: (path, range, options = {}) => readByClient(path, { ...range, ...options }) }),
    async write(path, content, options = {}) {
      if (!writeTextFile) return local.write(path, content, options);
      await local.stat(path);
      await client.writeTextFile(path, content, options);
    },
  };
}
