import type { FileOperations, SearchMatch } from '../../operations/operations.ts';

export interface ContextOptions {
  readonly before: number;
  readonly after: number;
  readonly files: Pick<FileOperations, 'readBytes'>;
}

export type ContextLine = (SearchMatch & { readonly isAround?: boolean }) | 'gap';

/** The matches with the lines around them, each line once, and a gap where some are left out. */
export async function withContext(
  matches: readonly SearchMatch[],
  { before, after, files }: ContextOptions,
): Promise<readonly ContextLine[]> {
  if (before === 0 && after === 0) return matches;
  const shown: ContextLine[] = [];
  for (const [path, found] of byPath(matches)) {
    const bytes = await files.readBytes(path).catch(() => new Uint8Array());
    const lines = new TextDecoder().decode(bytes).split(/\r?\n/);
    if (lines.at(-1) === '') lines.pop();
    const hits = new Set(found.map(({ line }) => line));
    let last = Number.NEGATIVE_INFINITY;
    for (const { line } of found) {
      const [from, to] = [Math.max(1, line - before, last + 1), Math.min(lines.length, line + after)];
      if (from > last + 1 && shown.length > 0) shown.push('gap');
      for (let at = from; at <= to; at++) {
        shown.push({ path, line: at, text: lines[at - 1] ?? '', ...(!hits.has(at) && { isAround: true }) });
      }
      last = Math.max(last, to);
    }
  }
  return shown;
}

function byPath(matches: readonly SearchMatch[]): ReadonlyMap<string, readonly SearchMatch[]> {
  const groups = new Map<string, SearchMatch[]>();
  for (const match of matches) groups.set(match.path, [...(groups.get(match.path) ?? []), match]);
  return groups;
}
