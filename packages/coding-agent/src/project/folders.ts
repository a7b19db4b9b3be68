import { existsSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { configHome, findHome } from '@parley/host/places';

/** Where the person keeps what holds in all projects. */
export interface PersonalFolders {
  /** Has `AGENTS.md`, `commands` and `skills`. */
  readonly config: string;
  /** Has what other agents read, such as `.claude/skills`. */
  readonly home?: string;
}

type Environment = Readonly<Record<string, string | undefined>>;

/** As the XDG places say: `~/.config/parley`, and the home. */
export function findPersonalFolders(env: Environment = process.env): PersonalFolders | undefined {
  const home = findHome(env);
  if (home === undefined) return undefined;
  return { config: join(configHome(env), 'parley'), home };
}

/**
 * The folders from the root of a folder's repository down to it, the root first; the folder alone where it is in none. Never
 * above the person's home: what others have left in a shared folder above is none of this project.
 */
export function foldersDownTo(folder: string, home: string | undefined): readonly string[] {
  const passed: string[] = [];
  for (let each = folder; ; each = dirname(each)) {
    passed.unshift(each);
    if (existsSync(join(each, '.git'))) return passed;
    if (each === home || each === dirname(each)) return [folder];
  }
}

export function isInRepository(folder: string, home: string | undefined): boolean {
  const [top = folder] = foldersDownTo(folder, home);
  return existsSync(join(top, '.git'));
}

/** Whether a file is there and belongs to this person, or to the system. */
export function isOwnFile(path: string): boolean {
  const found = statSync(path, { throwIfNoEntry: false });
  if (!found?.isFile()) return false;
  return process.getuid === undefined || [0, process.getuid()].includes(found.uid);
}
