import { basename, join } from 'node:path';
import type { FileOperations, SearchMatch, SearchOperations, SearchQuery, SearchResult } from '../operations.ts';
import { createLineMatcher, type LineMatcher, splitLines } from './match-lines.ts';
import { walk } from './walk.ts';

type Files = Pick<FileOperations, 'list' | 'readBytes' | 'stat'>;

/** Files that are read side by side and looked through in one go: each go of an expression that can be stopped has its price. */
const MAX_BATCH_FILES = 32;
const MAX_BATCH_BYTES = 2 * 1024 * 1024;

/** Searches by reading every file: what works everywhere. */
export function walkSearch(files: Files): SearchOperations {
  return {
    async search(query) {
      const matcher = createLineMatcher(query);
      const { maxMatches, maxPerFile = maxMatches, signal } = query;
      const matches: SearchMatch[] = [];
      const slow: Omit<SearchMatch, 'text'>[] = [];
      let isPartial = false;
      const onTooMany = (): void => {
        isPartial = true;
      };
      for await (const paths of batchesOf(files, query, onTooMany)) {
        signal.throwIfAborted();
        const texts = await Promise.all(paths.map((path) => readText(files, path)));
        const found = await searchTexts(matcher, paths, texts);
        slow.push(...found.slow);
        for (const path of paths) {
          const room = Math.min(maxMatches - matches.length, maxPerFile);
          matches.push(...found.matches.filter((match) => match.path === path).slice(0, room));
        }
        if (matches.length >= maxMatches) break;
      }
      return { matches, slow, isPartial };
    },
  };
}

/** Looks through several texts as if they were one. */
async function searchTexts(
  matcher: LineMatcher,
  paths: readonly string[],
  texts: readonly string[],
): Promise<SearchResult> {
  const starts: number[] = [];
  let lines = 0;
  for (const text of texts) {
    starts.push(lines);
    lines += splitLines(text).length;
  }
  const locate = (line: number): Omit<SearchMatch, 'text'> => {
    let index = starts.findIndex((start) => start >= line) - 1;
    if (index < 0) index = starts.length - 1;
    return { path: paths[index] ?? '', line: line - (starts[index] ?? 0) };
  };
  const found = await matcher(texts.join('\n'));
  return {
    matches: found.lines.map(({ line, text }) => ({ ...locate(line), text })),
    slow: found.slow.map(locate),
  };
}

/** The files to look into, some at a time. A match over several lines must not go from one file to the next. */
async function* batchesOf(files: Files, query: SearchQuery, onTooMany: () => void): AsyncGenerator<readonly string[]> {
  const maxFiles = query.isMultiline ? 1 : MAX_BATCH_FILES;
  let batch: string[] = [];
  let batchBytes = 0;
  for await (const { path, name, bytes } of filesOf(files, query, onTooMany)) {
    // Very large files hold nothing that a search should show.
    if (!query.fits(name) || bytes > query.maxFileBytes) continue;
    batch.push(path);
    batchBytes += bytes;
    if (batch.length < maxFiles && batchBytes < MAX_BATCH_BYTES) continue;
    yield batch;
    [batch, batchBytes] = [[], 0];
  }
  if (batch.length > 0) yield batch;
}

interface FoundFile {
  readonly path: string;
  /** As globs see it. */
  readonly name: string;
  readonly bytes: number;
}

async function* filesOf(
  files: Files,
  { root, roots, signal }: SearchQuery,
  onTooMany: () => void,
): AsyncGenerator<FoundFile> {
  const start = await files.stat(root);
  if (start?.type === 'file') return yield { path: root, name: basename(root), bytes: start.bytes };
  for await (const { path, isDirectory, bytes } of walk({ files, root, roots, signal, onTooMany })) {
    if (!isDirectory) yield { path: join(root, path), name: path, bytes };
  }
}

/** Binary and unreadable files, and what is no file, hold nothing that a search should show. */
async function readText(files: Files, path: string): Promise<string> {
  const bytes = await files.readBytes(path).catch(() => new Uint8Array());
  return bytes.includes(0) ? '' : new TextDecoder().decode(bytes);
}
