import { type Connection, createConnection, ParleyError, RpcError } from '@parley/jsonrpc';
import { spawnProcess } from '@parley/transports/process';
import { type FileEntry, FileMissingError, type FileOperations } from '../operations/operations.ts';
import { decodeFile, encodeFor } from '../operations/text-encoding.ts';
import type { Confine } from './confine.ts';
import { FILE_SERVER } from './file-server.ts';

/** Files as they are seen and changed from inside the sandbox. */
export interface SandboxFiles extends FileOperations, AsyncDisposable {}

export async function openSandboxFiles(confine: Confine, cwd: string): Promise<SandboxFiles> {
  const program = confine({ command: process.execPath, args: ['-e', FILE_SERVER] }, cwd);
  const transport = await spawnProcess({ ...program, cwd, env: {}, eofGraceMs: 100, termGraceMs: 100 });
  const connection = createConnection(transport);
  const readBytes = async (path: string): Promise<Uint8Array> =>
    Buffer.from(await ask<string>(connection, 'readBytes', { path }), 'base64');
  return {
    async read(path) {
      return decodeFile(await readBytes(path), path);
    },
    readBytes,
    async write(path, content) {
      const bytes = encodeFor(await readBytes(path).catch(() => undefined), content, path);
      await ask(connection, 'write', { path, data: Buffer.from(bytes).toString('base64') });
    },
    remove: (path) => ask(connection, 'remove', { path }),
    move: (from, to) => ask(connection, 'move', { path: from, from, to }),
    list: (path) => ask<FileEntry[]>(connection, 'list', { path }),
    async stat(path) {
      return ask<FileEntry>(connection, 'stat', { path }).catch((error: unknown) => {
        if (error instanceof FileMissingError) return undefined;
        throw error;
      });
    },
    async [Symbol.asyncDispose]() {
      await connection.close();
    },
  };
}

/** Outside the workspace nothing is visible, so what is there is missing as well. */
async function ask<Result>(
  connection: Connection,
  method: string,
  params: { readonly path: string; readonly [name: string]: string },
): Promise<Result> {
  try {
    return await connection.request<Result>(method, params);
  } catch (error) {
    if (!(error instanceof RpcError)) throw error;
    const { errno } = (error.data ?? {}) as { errno?: unknown };
    if (errno === 'ENOENT' || errno === 'ENOTDIR') throw new FileMissingError(params.path);
    throw new ParleyError('file_failed', `In the sandbox: ${error.message}`, { cause: error });
  }
}
