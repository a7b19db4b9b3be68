import { join } from 'node:path';
import ignore, { type Ignore } from 'ignore';
import type { FileOperations } from './operations.ts';

export interface WalkOptions {
  readonly files: FileOperations;
  readonly root: string;
  readonly signal: AbortSignal;
  /** Enters and names what .gitignore leaves out, too. */
  readonly isIncludingIgnored?: boolean;
  readonly maxEntries?: number;
}

export interface WalkedEntry {
  /** Relative to the root, with `/`; a directory ends in one. */
  readonly path: string;
  readonly isDirectory: boolean;
}

/** What no one wants to see listed, whether git knows of it or not. */
const NEVER_ENTERED = new Set(['.git', '.hg', '.svn']);
const DEFAULT_MAX_ENTRIES = 50_000;

/** Everything below a directory, .gitignore files respected at each level, links not followed; in order of names. */
export async function* walk(options: WalkOptions): AsyncGenerator<WalkedEntry> {
  const { maxEntries = DEFAULT_MAX_ENTRIES } = options;
  let seen = 0;
  for await (const entry of walkDirectory(options, '', [])) {
    if (++seen > maxEntries) return;
    yield entry;
  }
}

/** The rules of one .gitignore and the directory it stands in. */
interface IgnoreRules {
  readonly base: string;
  readonly rules: Ignore;
}

async function* walkDirectory(
  options: WalkOptions,
  directory: string,
  inherited: readonly IgnoreRules[],
): AsyncGenerator<WalkedEntry> {
  const { files, root, signal, isIncludingIgnored = false } = options;
  signal.throwIfAborted();
  const entries = await files.list(join(root, directory)).catch(() => []);
  const ignored = isIncludingIgnored ? [] : await withRulesOf(options, directory, inherited, entries);
  for (const { name, type } of [...entries].sort(byName)) {
    const isDirectory = type === 'directory';
    if (isDirectory && NEVER_ENTERED.has(name)) continue;
    const path = `${directory}${name}${isDirectory ? '/' : ''}`;
    if (ignored.some(({ base, rules }) => rules.ignores(path.slice(base.length)))) continue;
    yield { path, isDirectory };
    if (isDirectory) yield* walkDirectory(options, path, ignored);
  }
}

async function withRulesOf(
  { files, root }: WalkOptions,
  directory: string,
  inherited: readonly IgnoreRules[],
  entries: readonly { readonly name: string }[],
): Promise<readonly IgnoreRules[]> {
  if (!entries.some(({ name }) => name === '.gitignore')) return inherited;
  const text = await files.read(join(root, directory, '.gitignore')).catch(() => '');
  return [...inherited, { base: directory, rules: ignore().add(text) }];
}

function byName(left: { readonly name: string }, right: { readonly name: string }): number {
  return left.name < right.name ? -1 : left.name > right.name ? 1 : 0;
}
