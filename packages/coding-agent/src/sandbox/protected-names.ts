import { lstatSync, realpathSync, renameSync, type Stats } from 'node:fs';
import { join } from 'node:path';
import { PROTECTED_PATHS } from '@parley/policy';

/** Runs on servers with the project's secrets; policy leaves it to the permission mode. */
const ALSO_PROTECTED = ['.github/workflows'] as const;

const NAMES: readonly string[] = [...PROTECTED_PATHS, ...ALSO_PROTECTED];

/** The protected names of these folders that exist, without links. They can be mounted read-only. */
export function findProtected(roots: readonly string[]): readonly string[] {
  const found = pathsIn(roots).flatMap(({ path }) => (look(path) ? (realPath(path) ?? []) : []));
  return [...new Set(found)];
}

/** Moves away what a command has put in the place of a protected name. */
export interface ProtectedWatch {
  /** Returns the new paths of everything that was moved. */
  end(): readonly string[];
}

/**
 * Watches the protected names that cannot be mounted read-only: those that do not exist, links, and names in a folder that
 * could be renamed. Placeholders for them would be left in the workspace, where other programs read them.
 */
export function watchProtected(roots: readonly string[]): ProtectedWatch {
  const before = new Map<string, string>();
  for (const { path, isDeep } of pathsIn(roots)) {
    const found = look(path);
    if (found === undefined || found.isSymbolicLink() || isDeep) before.set(path, identify(found));
  }
  return {
    end() {
      const moved: string[] = [];
      for (const [path, identity] of before) {
        const found = look(path);
        if (found === undefined || identify(found) === identity) continue;
        const aside = freeName(path);
        if (move(path, aside)) moved.push(aside);
      }
      return moved;
    },
  };
}

function pathsIn(roots: readonly string[]): readonly { readonly path: string; readonly isDeep: boolean }[] {
  return roots.flatMap((root) => NAMES.map((name) => ({ path: join(root, name), isDeep: name.includes('/') })));
}

function look(path: string): Stats | undefined {
  try {
    return lstatSync(path, { throwIfNoEntry: false });
  } catch {
    return undefined;
  }
}

function realPath(path: string): string | undefined {
  try {
    return realpathSync(path);
  } catch {
    return undefined;
  }
}

/** False where the folder cannot be changed; then the command could not change it either. */
function move(path: string, aside: string): boolean {
  try {
    renameSync(path, aside);
    return true;
  } catch {
    return false;
  }
}

function identify(found: Stats | undefined): string {
  return found === undefined ? '' : `${found.dev}:${found.ino}`;
}

function freeName(path: string): string {
  for (let count = 1; ; count += 1) {
    const name = `${path}.blocked-${count}`;
    if (look(name) === undefined) return name;
  }
}
