import { type Glob, hasWildcard, matchesText } from '../glob.ts';
import { type FolderEntry, MAX_PATH_CHARS, normalizePath, resolvePath, type Workspace } from './paths.ts';

/** Most entries that are looked at for one pattern or one tree; beyond it, what it meets counts as unknown. */
export const MAX_ENTRIES = 20_000;
/** Most files that one pattern may meet. */
const MAX_HITS = 2048;
/** Most folders between a folder and the workspace's own that are looked at for a repository. */
const MAX_LEVELS = 64;

/** What a pattern or a tree meets on the disk. */
export interface Met {
  /** Where links that were met lead to. */
  readonly real: readonly string[];
  /** What it meets, as written. */
  readonly hits: readonly string[];
  /** There was too much to look at, or something whose name does not stay one word. */
  readonly isUnknown: boolean;
}

export const NOTHING_MET: Met = { real: [], hits: [], isUnknown: false };
const UNKNOWN: Met = { real: [], hits: [], isUnknown: true };

interface Place {
  readonly written: string;
  readonly real: string;
  readonly isLinked: boolean;
}

/** The files that an absolute glob meets. Without a disk nothing is known of links; with half of one, everything may be one. */
export function meetGlob(glob: Glob, workspace: Workspace): Met {
  const { realPath, listFolder } = workspace;
  if (realPath === undefined) return NOTHING_MET;
  if (listFolder === undefined) return UNKNOWN;
  const [, ...segments] = splitPath(glob);
  let places: Place[] = [{ written: '', real: '', isLinked: false }];
  let left = MAX_ENTRIES;
  for (const segment of segments) {
    const next: Place[] = [];
    for (const place of places) {
      if (segment.length === 0) next.push(place);
      else if (!hasWildcard(segment)) next.push(enter(place, String.fromCharCode(...segment), 'link', realPath));
      else {
        const entries = listFolder(place.real === '' ? '/' : place.real, left) ?? [];
        left -= entries.length;
        for (const { name, type } of entries)
          if (matchesText(segment, name)) next.push(enter(place, name, type, realPath));
      }
      if (left <= 0 || next.length > MAX_HITS) return UNKNOWN;
    }
    places = next;
  }
  return {
    real: places.filter((place) => place.isLinked).map((place) => place.real),
    hits: places.map((place) => place.written),
    isUnknown: false,
  };
}

function enter(place: Place, name: string, type: FolderEntry['type'], realPath: (path: string) => string): Place {
  const written = `${place.written}/${name}`;
  const plain = `${place.real}/${name}`;
  if (type !== 'link') return { written, real: plain, isLinked: place.isLinked };
  const real = normalizePath(realPath(plain));
  return { written, real, isLinked: place.isLinked || real !== plain };
}

export interface WalkOptions {
  /** Go on behind links. */
  readonly follows: boolean;
  /** Names must stay one word each when they are taken apart at blanks. */
  readonly isBroken: boolean;
}

/** Looks for links below folders, without following them unless told so. */
export function meetTree(roots: readonly string[], workspace: Workspace, { follows, isBroken }: WalkOptions): Met {
  const { realPath, listFolder } = workspace;
  if (realPath === undefined || listFolder === undefined)
    return isBroken || realPath !== undefined ? UNKNOWN : NOTHING_MET;
  const real = new Set<string>();
  const seen = new Set<string>();
  const open = roots.map((root) => normalizePath(realPath(root)));
  let left = MAX_ENTRIES;
  for (let folder = open.pop(); folder !== undefined; folder = open.pop()) {
    if (seen.has(folder)) continue;
    seen.add(folder);
    const entries = listFolder(folder, left) ?? [];
    left -= entries.length;
    if (left <= 0 || (isBroken && entries.some(({ name }) => BREAKS.test(name)))) return UNKNOWN;
    for (const { name, type } of entries) {
      const path = folder === '/' ? `/${name}` : `${folder}/${name}`;
      if (type === 'folder') open.push(path);
      if (type !== 'link') continue;
      const target = normalizePath(realPath(path));
      real.add(target);
      if (follows) open.push(target);
    }
  }
  return { real: [...real], hits: [], isUnknown: false };
}

/** Is there anything below these folders that fits? `true` as well when there is too much to look at, or no disk to look at. */
export function hasBelow(roots: readonly string[], workspace: Workspace, fits: (path: string) => boolean): boolean {
  const { realPath, listFolder } = workspace;
  if (realPath === undefined || listFolder === undefined) return true;
  const open = [...roots];
  let left = MAX_ENTRIES;
  for (let folder = open.pop(); folder !== undefined; folder = open.pop()) {
    const entries = listFolder(folder, left) ?? [];
    left -= entries.length;
    if (left <= 0) return true;
    for (const { name, type } of entries) {
      const path = folder === '/' ? `/${name}` : `${folder}/${name}`;
      if (fits(path)) return true;
      if (type === 'folder') open.push(path);
    }
  }
  return false;
}

/** Where the system finds a path: `..` after a link leads to the folder that holds what the link names. */
export function physicalPath(directory: string, path: string, realPath: (path: string) => string): string {
  const whole = path.startsWith('/') ? path : `${directory}/${path}`;
  if (!CLIMBS.test(whole)) return normalizePath(realPath(resolvePath(directory, path)));
  let current = '';
  for (const segment of whole.split('/')) {
    if (segment === '' || segment === '.') continue;
    if (segment === '..') current = current.slice(0, Math.max(0, current.lastIndexOf('/')));
    else current = normalizePath(realPath(`${current}/${segment}`));
    if (current === '/') current = '';
  }
  return current === '' ? '/' : current;
}

/** Is this path too long, or does it climb too often, to be looked up? */
export function isTooLong(path: string): boolean {
  return path.length > MAX_PATH_CHARS;
}

/** The folder below a root that is a repository of its own and holds this one, if there is one. */
export function findRepository(directory: string, roots: readonly string[], workspace: Workspace): string | undefined {
  const { listFolder } = workspace;
  if (listFolder === undefined) return undefined;
  let folder = directory;
  for (let level = 0; level < MAX_LEVELS && !roots.includes(folder) && folder.includes('/', 1); level += 1) {
    const entries = listFolder(folder, MAX_ENTRIES) ?? [];
    // `HEAD` is enough: objects, refs and settings may be elsewhere (`commondir`).
    if (entries.length >= MAX_ENTRIES || entries.some(({ name }) => /^(?:\.git|head)$/i.test(name))) return folder;
    folder = folder.slice(0, folder.lastIndexOf('/'));
  }
  return undefined;
}

function splitPath(glob: Glob): readonly Glob[] {
  const segments: Glob[] = [];
  let start = 0;
  for (let index = 0; index <= glob.length; index += 1) {
    if (index < glob.length && glob[index] !== SLASH) continue;
    segments.push(glob.slice(start, index));
    start = index + 1;
  }
  return segments;
}

const SLASH = 47;
const CLIMBS = /(?:^|\/)\.\.(?:\/|$)/;
/** Names that programs take apart, or take for an option. */
const BREAKS = /[\s'"\\]|^-/;
