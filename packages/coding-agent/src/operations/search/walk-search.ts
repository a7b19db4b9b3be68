import { basename, join } from 'node:path';
import { walk } from '../../tools/files/walk.ts';
import type { FileOperations, SearchMatch, SearchOperations, SearchQuery } from '../../tools/operations.ts';
import { createLineMatcher } from './match-lines.ts';

type Files = Pick<FileOperations, 'list' | 'readBytes' | 'stat'>;

/** Searches by reading every file: what works everywhere. */
export function walkSearch(files: Files): SearchOperations {
  return {
    async search(query) {
      const matcher = createLineMatcher(query);
      const { maxMatches, maxPerFile = maxMatches } = query;
      const matches: SearchMatch[] = [];
      const slow: Omit<SearchMatch, 'text'>[] = [];
      for await (const { path, name } of filesOf(files, query)) {
        if (!query.fits(name)) continue;
        query.signal.throwIfAborted();
        const text = await readSearchable(files, path, query.maxFileBytes);
        const found = await matcher(text);
        const room = Math.min(maxMatches - matches.length, maxPerFile);
        matches.push(...found.lines.slice(0, room).map((match) => ({ path, ...match })));
        slow.push(...found.slow.map((line) => ({ path, line })));
        if (matches.length >= maxMatches) break;
      }
      return { matches, slow };
    },
  };
}

/** The files to look into, with their names as globs see them. */
async function* filesOf(
  files: Files,
  { root, roots, signal }: SearchQuery,
): AsyncGenerator<{ readonly path: string; readonly name: string }> {
  const start = await files.stat(root);
  if (start?.type === 'file') return yield { path: root, name: basename(root) };
  for await (const { path, isDirectory } of walk({ files, root, roots, signal })) {
    if (!isDirectory) yield { path: join(root, path), name: path };
  }
}

/** Binary, unreadable and very large files hold nothing that a search should show. */
async function readSearchable(files: Files, path: string, maxBytes: number): Promise<string> {
  const entry = await files.stat(path).catch(() => undefined);
  if (entry?.type !== 'file' || entry.bytes > maxBytes) return '';
  const bytes = await files.readBytes(path).catch(() => new Uint8Array());
  return bytes.includes(0) ? '' : new TextDecoder().decode(bytes);
}
