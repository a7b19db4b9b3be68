import { isAbsolute, isInWorkspace, normalizePath, resolvePath, type Workspace } from './paths.ts';
import { foldGlob, GLOBSTAR, type Glob, hasWildcard, matchesText, overlaps, textGlob } from './pattern/glob.ts';
import { wideSpellings } from './pattern/path-pattern.ts';
import type { Match } from './pattern/verdict.ts';
import type { Directories } from './shell/analysis.ts';
import type { ShellWord } from './shell/word.ts';

/** The files that a request or an argument is about, as absolute paths. */
export interface Target {
  /** Each of these, normalized. */
  readonly paths: readonly string[];
  /** Anything that matches one of these. */
  readonly globs: readonly Glob[];
  /** Some of it cannot be known before it runs. */
  readonly isUnknown: boolean;
  /** Everything below the paths as well. */
  readonly isTree: boolean;
  /** For `isTree`: names that start with a dot are left out. */
  readonly skipsHidden: boolean;
}

export function pathTarget(paths: readonly string[], workspace: Workspace, cwd: string = workspace.cwd): Target {
  return {
    paths: withReal(
      paths.map((path) => expand(path, cwd, workspace)),
      workspace,
    ),
    globs: NO_GLOBS,
    isUnknown: false,
    isTree: false,
    skipsHidden: false,
  };
}

/** What a word of a command line stands for when it names a file. */
export function wordTarget(
  word: ShellWord,
  directories: Directories,
  workspace: Workspace,
  tree: { isTree: boolean; skipsHidden?: boolean },
): Target {
  const { isTree, skipsHidden = false } = tree;
  const { value, below } = word;
  if (below !== undefined) return { ...resolveAll(below, directories, workspace), isTree: true, skipsHidden };
  if (value === undefined) return { ...resolveGlob(word.glob, directories), isTree, skipsHidden };
  if (directories?.length === 1 && directories[0] !== undefined && !/^[~/]/.test(value) && !workspace.realPath) {
    return { paths: [resolvePath(directories[0], value)], globs: NO_GLOBS, isUnknown: false, isTree, skipsHidden };
  }
  return { ...resolveAll([value], directories, workspace), isTree, skipsHidden };
}

/** Is all of it in the workspace? `maybe` when that cannot be known. */
export function isTargetInside(target: Target, workspace: Workspace): Match {
  if (target.isUnknown) return 'maybe';
  const isInside =
    target.paths.every((path) => isInWorkspace(workspace, path)) &&
    target.globs.every((glob) => isInWorkspace(workspace, folderOf(glob)));
  return isInside ? 'yes' : 'no';
}

/** Do the globs cover all of the target? Used by allow rules: what is unknown is never covered. */
export function coversTarget(globs: readonly Glob[], target: Target): boolean {
  if (target.isUnknown || target.globs.length > 0 || target.isTree) return false;
  return target.paths.every((path) => globs.some((glob) => matchesText(glob, path)));
}

/** Do the globs touch the target? Used by ask and deny rules, which ignore case. */
export function touchesTarget(globs: readonly Glob[], target: Target): Match {
  for (const path of target.paths) {
    for (const spelling of wideSpellings(path)) if (globs.some((glob) => matchesText(glob, spelling))) return 'yes';
  }
  for (const found of target.globs) if (globs.some((glob) => overlaps(glob, foldGlob(found)))) return 'maybe';
  if (target.isTree) {
    const below = target.paths.map((path) => [...textGlob(path === '/' ? '' : path.toLowerCase()), SLASH, GLOBSTAR]);
    const seen = target.skipsHidden ? globs.filter((glob) => !namesHidden(glob)) : globs;
    if (below.some((tree) => seen.some((glob) => overlaps(glob, tree)))) return 'maybe';
  }
  return target.isUnknown && globs.length > 0 ? 'maybe' : 'no';
}

function resolveAll(
  values: readonly string[],
  directories: Directories,
  workspace: Workspace,
): Pick<Target, 'paths' | 'globs' | 'isUnknown'> {
  const paths: string[] = [];
  let isUnknown = false;
  for (const value of values) {
    if (value.startsWith('~') && !HOME.test(value)) isUnknown = true;
    if (HOME.test(value) && workspace.home === undefined) isUnknown = true;
    if (isAbsolute(value) || value.startsWith('~')) paths.push(expand(value, '/', workspace));
    else if (directories === undefined) isUnknown = true;
    else for (const directory of directories) paths.push(resolvePath(directory, value));
  }
  return { paths: withReal(paths, workspace), globs: NO_GLOBS, isUnknown };
}

/** Paths together with what they lead to when links are followed: a rule has to hold for both. */
function withReal(paths: readonly string[], workspace: Workspace): readonly string[] {
  const { realPath } = workspace;
  if (realPath === undefined) return paths;
  return [...new Set([...paths, ...paths.map((path) => normalizePath(realPath(path)))])];
}

/** `~` in a path is the home folder wherever a program may take it so. */
function expand(path: string, cwd: string, workspace: Workspace): string {
  if (HOME.test(path) && workspace.home !== undefined) return resolvePath(workspace.home, `./${path.slice(1)}`);
  return resolvePath(cwd, path);
}

/** A shell glob as absolute globs; unknown when a wildcard may stand for a slash or for "..". */
function resolveGlob(glob: Glob, directories: Directories): Pick<Target, 'paths' | 'globs' | 'isUnknown'> {
  const start = glob.findIndex((token) => token < 0);
  const slash = glob.lastIndexOf(SLASH, start);
  const folder = String.fromCharCode(...glob.slice(0, slash + 1));
  const rest = glob.slice(slash + 1);
  const climbs = rest.some(
    (token, index) => token === DOT && (index === 0 || rest[index - 1] === SLASH) && isClimb(rest, index),
  );
  if (rest.includes(GLOBSTAR) || climbs || (directories === undefined && !folder.startsWith('/')))
    return { paths: [], globs: NO_GLOBS, isUnknown: true };
  const bases = folder.startsWith('/')
    ? [resolvePath('/', folder)]
    : (directories ?? []).map((directory) => resolvePath(directory, folder));
  return {
    paths: [],
    globs: bases.map((base) => [...textGlob(base === '/' ? '' : base), SLASH, ...rest]),
    isUnknown: false,
  };
}

/** A name that is ".." or could become it: a dot followed by a dot, a wildcard, or nothing. */
function isClimb(glob: Glob, index: number): boolean {
  const next = glob[index + 1];
  return next === undefined || next === SLASH || next === DOT || next < 0;
}

/** The folder a glob's first wildcard stands in. */
function folderOf(glob: Glob): string {
  const start = glob.findIndex((token) => token < 0);
  const slash = glob.lastIndexOf(SLASH, start < 0 ? glob.length : start);
  return String.fromCharCode(...glob.slice(0, slash)) || '/';
}

/** Does every path this glob matches have a part that starts with a dot? */
function namesHidden(glob: Glob): boolean {
  return (
    glob.some((token, index) => token === DOT && glob[index - 1] === SLASH && (glob[index + 1] ?? SLASH) !== SLASH) &&
    hasWildcard(glob)
  );
}

const NO_GLOBS: readonly Glob[] = [];
const SLASH = 47;
const DOT = 46;
const HOME = /^~(?:\/|$)/;
