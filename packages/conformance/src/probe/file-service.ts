import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { dirname, relative, resolve } from 'node:path';
import { RpcError } from '@parley/jsonrpc';
import { errorOfKind, type ReadTextFileRequest, type WriteTextFileRequest } from '@parley/protocol';

/** Serves `fs/*` inside one folder, as a careful client does. */
export function createFileService(root: string): {
  read(params: ReadTextFileRequest): Promise<{ content: string }>;
  write(params: WriteTextFileRequest): Promise<Record<string, never>>;
} {
  const inside = (path: string): string => {
    if (relative(root, resolve(path)).startsWith('..')) throw RpcError.invalidParams(`${path} is outside ${root}`);
    return path;
  };
  return {
    async read({ path, line, limit }) {
      const text = await readFile(inside(path), 'utf8').catch((cause: unknown) => {
        throw errorOfKind('resource_not_found', { message: `Cannot read ${path}: ${String(cause)}` });
      });
      const lines = text.split('\n').slice((line ?? 1) - 1);
      return { content: lines.slice(0, limit ?? lines.length).join('\n') };
    },
    async write({ path, content }) {
      await mkdir(dirname(inside(path)), { recursive: true });
      await writeFile(path, content);
      return {};
    },
  };
}
