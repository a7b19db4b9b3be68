import { ANY_IN_SEGMENT, foldGlob, GLOBSTAR, type Glob, OPTIONAL_PAIR, STAR, textGlob } from '../glob.ts';
import { foldPath, resolvePath, type Workspace } from '../workspace/paths.ts';
import type { PatternProblem } from './command-pattern.ts';

/** The inside of `Read(...)`, `Edit(...)`, `Grep(...)`: a path with wildcards, and where it starts. */
export interface PathPattern {
  readonly type: 'path';
  readonly anchor: 'workspace' | 'root' | 'home';
  readonly glob: Glob;
  /** One name without a slash: ask and deny rules look for it in every folder. */
  readonly isName: boolean;
}

/** Reads a path pattern: `*` and `?` within a name, `**` across folders, a backslash before a literal character. */
export function parsePathPattern(text: string): PathPattern | PatternProblem {
  const start = text.startsWith('~/') ? 2 : text.startsWith('./') ? 2 : 0;
  const anchor = text.startsWith('~/') ? 'home' : text.startsWith('/') ? 'root' : 'workspace';
  const glob: number[] = [];
  let offset = start;
  while (offset < text.length) {
    const segmentStart = offset === start || text[offset - 1] === '/';
    const character = text[offset] ?? '';
    if (character < ' ' || character === '\u007f')
      return { offset, problem: 'a path may not contain control characters' };
    if (segmentStart && PARENT.test(text.slice(offset, offset + 3))) {
      return { offset, problem: 'a pattern may not contain ".."; write the absolute path or start with "~/"' };
    }
    if (segmentStart && FOLDERS.test(text.slice(offset, offset + 3))) {
      const isLast = offset + 2 >= text.length;
      glob.push(...(isLast ? [GLOBSTAR] : [OPTIONAL_PAIR, GLOBSTAR, SLASH]));
      offset += isLast ? 2 : 3;
    } else if (character === '\\') {
      if (offset + 1 >= text.length) return { offset, problem: 'expected a character after the backslash' };
      glob.push(text.charCodeAt(offset + 1));
      offset += 2;
    } else {
      if (character === '*') glob.push(STAR);
      else if (character === '?') glob.push(ANY_IN_SEGMENT);
      else if (character !== '/' || glob.at(-1) !== SLASH) glob.push(text.charCodeAt(offset));
      offset += 1;
    }
  }
  if (glob.length === 0) return { offset: 0, problem: 'expected a path between the parentheses' };
  if (glob.at(-1) === SLASH) glob.push(GLOBSTAR);
  const isName = anchor === 'workspace' && !text.startsWith('./') && !glob.includes(SLASH) && !glob.includes(GLOBSTAR);
  return { type: 'path', anchor, glob, isName };
}

/** The absolute globs of a pattern as an allow rule reads it: exactly what is written. */
export function narrowGlobs(pattern: PathPattern, workspace: Workspace): readonly Glob[] {
  const base = anchorPath(pattern, workspace);
  return base === undefined ? [] : [under(base, pattern.glob)];
}

/** As ask and deny rules read it: any case, a lone name in every folder, and everything below what is named. */
export function wideGlobs(pattern: PathPattern, workspace: Workspace): readonly Glob[] {
  const base = anchorPath(pattern, workspace);
  const named = pattern.isName
    ? [...ANYWHERE, ...pattern.glob]
    : base === undefined
      ? undefined
      : under(base, pattern.glob);
  if (named === undefined) return [];
  return [named, [...named, SLASH, GLOBSTAR], ...folderItself(named)].map(foldGlob);
}

/** The spellings under which wide globs compare a path: a file system may know it by either. */
export function wideSpellings(path: string): readonly string[] {
  const [lower, folded] = [path.toLowerCase(), foldPath(path)];
  return lower === folded ? [lower] : [lower, folded];
}

function anchorPath(pattern: PathPattern, workspace: Workspace): string | undefined {
  if (pattern.anchor === 'root') return '/';
  return pattern.anchor === 'home' ? workspace.home : resolvePath('/', workspace.cwd);
}

function under(base: string, glob: Glob): Glob {
  if (base === '/') return glob[0] === SLASH ? glob : [SLASH, ...glob];
  return [...textGlob(base), SLASH, ...glob];
}

/** `secrets/**` also names the folder `secrets`. */
function folderItself(glob: Glob): readonly Glob[] {
  return glob.at(-1) === GLOBSTAR && glob.at(-2) === SLASH && glob.length > 2 ? [glob.slice(0, -2)] : [];
}

const SLASH = 47;
const ANYWHERE: Glob = [SLASH, OPTIONAL_PAIR, GLOBSTAR, SLASH];
const PARENT = /^\.\.(?:\/|$)/;
const FOLDERS = /^\*\*(?:\/|$)/;
