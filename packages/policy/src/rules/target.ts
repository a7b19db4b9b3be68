import { foldGlob, GLOBSTAR, type Glob, hasWildcard, matchesText, overlaps, textGlob } from '../glob.ts';
import type { Match } from '../pattern/match.ts';
import { wideSpellings } from '../pattern/path-pattern.ts';
import type { Directories } from '../shell/analysis.ts';
import type { ShellWord } from '../shell/words/shell-word.ts';
import { hasBelow, isTooLong, type Met, meetGlob, meetTree, NOTHING_MET, physicalPath } from '../workspace/disk.ts';
import { isAbsolute, isInWorkspace, resolvePath, type Workspace } from '../workspace/paths.ts';

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
  /** What the globs meet on the disk. */
  readonly hits?: readonly string[];
}

export function pathTarget(paths: readonly string[], workspace: Workspace, cwd: string = workspace.cwd): Target {
  const isUnknown = paths.some(isTooLong);
  return {
    paths: isUnknown ? [] : [...new Set(paths.flatMap((path) => lookUp(path, cwd, workspace)))],
    globs: NO_GLOBS,
    isUnknown,
    isTree: false,
    skipsHidden: false,
  };
}

/** What a word of a command line stands for when it names a file. */
export function wordTarget(
  word: ShellWord,
  directories: Directories,
  workspace: Workspace,
  tree: { isTree: boolean; skipsHidden?: boolean; follows?: boolean; isFromRoot?: boolean },
): Target {
  const { isTree, skipsHidden = false, follows = false } = tree;
  const { value, below } = word;
  if (below !== undefined) {
    const roots = resolveAll(below, directories, workspace);
    const isLooked = word.hasLinks !== false || word.isBroken === true;
    const met = isLooked
      ? meetTree(roots.paths, workspace, { follows: word.follows ?? false, isBroken: word.isBroken ?? false })
      : NOTHING_MET;
    return { ...withMet(roots, met), isTree: true, skipsHidden };
  }
  if (value === undefined) return { ...withHits(word.glob, directories, workspace), isTree, skipsHidden };
  if (isTree && follows && workspace.realPath) {
    const roots = resolveAll([value], directories, workspace);
    return { ...withMet(roots, meetTree(roots.paths, workspace, { follows, isBroken: false })), isTree, skipsHidden };
  }
  if (directories?.length === 1 && directories[0] !== undefined && !/^[~/]/.test(value) && !workspace.realPath) {
    return { paths: [resolvePath(directories[0], value)], globs: NO_GLOBS, isUnknown: false, isTree, skipsHidden };
  }
  const places = tree.isFromRoot && directories ? [...new Set([workspace.cwd, ...directories])] : directories;
  return { ...resolveAll([value], places, workspace), isTree, skipsHidden };
}

type Resolved = Pick<Target, 'paths' | 'globs' | 'isUnknown' | 'hits'>;

/** A glob together with what it meets: links lead elsewhere, and a name may be taken for an option. */
function withHits(glob: Glob, directories: Directories, workspace: Workspace): Resolved {
  const resolved = resolveGlob(glob, directories);
  if (workspace.realPath === undefined || resolved.isUnknown) return resolved;
  const met = resolved.globs.map((each) => meetGlob(each, workspace));
  const isOption =
    ((glob[0] ?? 0) < 0 || glob[0] === DASH) &&
    met.some(({ hits }) => hits.some((hit) => hit.slice(hit.lastIndexOf('/') + 1).startsWith('-')));
  const all: Met = {
    real: met.flatMap(({ real }) => real),
    hits: met.flatMap(({ hits }) => hits),
    isUnknown:
      isOption ||
      met.some(({ isUnknown }) => isUnknown) ||
      CLIMBING.test(String.fromCharCode(...glob.filter((token) => token >= 0))),
  };
  return withMet(resolved, all);
}

function withMet(resolved: Resolved, { real, hits, isUnknown }: Met): Resolved {
  if (real.length === 0 && hits.length === 0 && !isUnknown) return resolved;
  return {
    paths: real.length === 0 ? resolved.paths : [...new Set([...resolved.paths, ...real])],
    globs: resolved.globs,
    isUnknown: resolved.isUnknown || isUnknown,
    hits,
  };
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
export function touchesTarget(globs: readonly Glob[], target: Target, workspace?: Workspace): Match {
  const isNamed = (path: string): boolean =>
    wideSpellings(path).some((spelling) => globs.some((glob) => matchesText(glob, spelling)));
  if (target.paths.some(isNamed)) return 'yes';
  for (const found of target.globs) if (globs.some((glob) => overlaps(glob, foldGlob(found)))) return 'maybe';
  if (target.isTree) {
    const below = target.paths.map((path) => [...textGlob(path === '/' ? '' : path.toLowerCase()), SLASH, GLOBSTAR]);
    const seen = target.skipsHidden ? globs.filter((glob) => !namesHidden(glob)) : globs;
    const mayBe = below.some((tree) => seen.some((glob) => overlaps(glob, tree)));
    // A tree on the disk can be looked through; one in the records of git cannot.
    if (mayBe && (workspace === undefined || hasBelow(target.paths, workspace, isNamed))) return 'maybe';
  }
  return target.isUnknown && globs.length > 0 ? 'maybe' : 'no';
}

function resolveAll(values: readonly string[], directories: Directories, workspace: Workspace): Resolved {
  const paths: string[] = [];
  let isUnknown = false;
  for (const value of values) {
    if (value.startsWith('~') && !HOME.test(value)) isUnknown = true;
    if (HOME.test(value) && workspace.home === undefined) isUnknown = true;
    if (isTooLong(value)) isUnknown = true;
    else if (isAbsolute(value) || value.startsWith('~')) paths.push(...lookUp(value, '/', workspace));
    else if (directories === undefined) isUnknown = true;
    else for (const directory of directories) paths.push(...lookUp(value, directory, workspace));
  }
  return { paths: paths.length < 2 ? paths : [...new Set(paths)], globs: NO_GLOBS, isUnknown };
}

/** A path together with where it leads when links are followed: a rule has to hold for both. */
function lookUp(path: string, cwd: string, workspace: Workspace): readonly string[] {
  const { realPath } = workspace;
  const written = expand(path, cwd, workspace);
  if (realPath === undefined) return [written];
  const isHome = HOME.test(path);
  const real = isHome ? physicalPath('/', written, realPath) : physicalPath(cwd, path, realPath);
  return real === written ? [written] : [written, real];
}

/** `~` in a path is the home folder wherever a program may take it so. */
function expand(path: string, cwd: string, workspace: Workspace): string {
  if (HOME.test(path) && workspace.home !== undefined) return resolvePath(workspace.home, `./${path.slice(1)}`);
  return resolvePath(cwd, path);
}

/** A shell glob as absolute globs; unknown when a wildcard may stand for a slash or for "..". */
function resolveGlob(glob: Glob, directories: Directories): Resolved {
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
const DASH = 45;
const CLIMBING = /(?:^|\/)\.\.(?:\/|$)/;
const HOME = /^~(?:\/|$)/;
