import { join, relative, sep } from 'node:path';
import ignore, { type Ignore } from 'ignore';
import type { FileOperations } from '../operations.ts';

export interface WalkOptions {
  readonly files: Pick<FileOperations, 'list' | 'readBytes'>;
  readonly root: string;
  /** The session's roots: the .gitignore files between one of them and `root` count too. */
  readonly roots?: readonly string[];
  readonly signal: AbortSignal;
  /** Enters and names what .gitignore leaves out, too. */
  readonly isIncludingIgnored?: boolean;
  /** Names only what is in the root itself. */
  readonly isShallow?: boolean;
  readonly maxEntries?: number;
  /** Told when there are more than that. */
  readonly onTooMany?: () => void;
}

export interface WalkedEntry {
  /** Relative to the root, with `/`; a directory ends in one. */
  readonly path: string;
  readonly isDirectory: boolean;
  readonly bytes: number;
}

/** What no one wants to see listed, whether git knows of it or not. */
export const NEVER_ENTERED: ReadonlySet<string> = new Set(['.git', '.hg', '.svn']);
const DEFAULT_MAX_ENTRIES = 50_000;

/** Everything below a directory, .gitignore files respected at each level, links not followed; in order of names. */
export async function* walk(options: WalkOptions): AsyncGenerator<WalkedEntry> {
  const { maxEntries = DEFAULT_MAX_ENTRIES, isIncludingIgnored = false } = options;
  const inherited = isIncludingIgnored ? [] : await rulesAbove(options);
  let seen = 0;
  for await (const entry of walkDirectory(options, '', inherited)) {
    if (++seen > maxEntries) return options.onTooMany?.();
    yield entry;
  }
}

/** The rules of one .gitignore, and how a path below the walk's root is called from the directory it stands in. */
interface IgnoreRules {
  readonly rules: Ignore;
  readonly toOwn: (path: string) => string;
}

async function* walkDirectory(
  options: WalkOptions,
  directory: string,
  inherited: readonly IgnoreRules[],
): AsyncGenerator<WalkedEntry> {
  const { files, root, signal, isIncludingIgnored = false, isShallow = false } = options;
  signal.throwIfAborted();
  const entries = await files.list(join(root, directory)).catch(() => []);
  const hasRules = !isIncludingIgnored && entries.some(({ name }) => name === '.gitignore');
  const own = hasRules ? [await readRules(files, join(root, directory), (path) => path.slice(directory.length))] : [];
  const ignored = [...inherited, ...own];
  for (const { name, type, bytes } of [...entries].sort(byName)) {
    const isDirectory = type === 'directory';
    if (isDirectory && NEVER_ENTERED.has(name)) continue;
    const path = `${directory}${name}${isDirectory ? '/' : ''}`;
    if (isIgnored(path, ignored)) continue;
    yield { path, isDirectory, bytes };
    if (isDirectory && !isShallow) yield* walkDirectory(options, path, ignored);
  }
}

/** The innermost .gitignore that says anything about a path decides. */
function isIgnored(path: string, ignored: readonly IgnoreRules[]): boolean {
  for (const { rules, toOwn } of ignored.toReversed()) {
    const verdict = rules.test(toOwn(path));
    if (verdict.ignored || verdict.unignored) return verdict.ignored;
  }
  return false;
}

/** A project's rules hold in its subdirectories, also when only one of those is looked at. */
async function rulesAbove({ files, root, roots = [] }: WalkOptions): Promise<readonly IgnoreRules[]> {
  const base = roots.find((each) => root.startsWith(`${each}${sep}`));
  if (base === undefined) return [];
  const names = relative(base, root).split(sep);
  return Promise.all(
    names.map((_, depth) => {
      const below = names.slice(depth).join('/');
      return readRules(files, join(base, ...names.slice(0, depth)), (path) => `${below}/${path}`);
    }),
  );
}

async function readRules(
  files: WalkOptions['files'],
  directory: string,
  toOwn: IgnoreRules['toOwn'],
): Promise<IgnoreRules> {
  const bytes = await files.readBytes(join(directory, '.gitignore')).catch(() => new Uint8Array());
  return { rules: ignore().add(new TextDecoder().decode(bytes)), toOwn };
}

function byName(left: { readonly name: string }, right: { readonly name: string }): number {
  return left.name < right.name ? -1 : left.name > right.name ? 1 : 0;
}
