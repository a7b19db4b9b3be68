/** The folders a session works in. Everything else is outside, and outside needs a rule that names it. */
export interface Workspace {
  /** Absolute path; relative paths and patterns start here. */
  readonly cwd: string;
  readonly additionalDirectories?: readonly string[];
  /** What `~` stands for. Without it every path under `~` is unknown. */
  readonly home?: string;
  /** Follows symbolic links of an absolute path. Without it paths are compared as they are written. */
  readonly realPath?: (path: string) => string;
  /**
   * What is in a folder, at most `limit` entries; nothing when there is no such folder. Together with `realPath` it tells which
   * files a pattern meets; with `realPath` alone every pattern is asked about.
   */
  readonly listFolder?: (path: string, limit: number) => readonly FolderEntry[] | undefined;
}

export interface FolderEntry {
  readonly name: string;
  readonly type: 'file' | 'folder' | 'link' | 'other';
}

/** Longest path that is looked up. */
export const MAX_PATH_CHARS = 4096;

/** Resolves `.`, `..` and doubled slashes of an absolute path by its text alone. */
export function normalizePath(path: string): string {
  if (path.startsWith('/') && !path.includes('/.') && !path.includes('//') && !path.endsWith('/')) return path;
  const slashed = DRIVE.test(path) ? path.replaceAll('\\', '/') : path;
  if (!UNTIDY.test(slashed)) return slashed;
  const kept: string[] = [];
  for (const segment of slashed.split('/')) {
    if (segment === '' || segment === '.') continue;
    if (segment !== '..') kept.push(segment);
    else if (kept.length > 0 && !DRIVE_SEGMENT.test(kept[0] ?? '')) kept.pop();
    else if (kept.length > 1) kept.pop();
  }
  return slashed.startsWith('/') ? `/${kept.join('/')}` : kept.join('/');
}

/** The absolute, normalized form of a path as seen from `base`. */
export function resolvePath(base: string, path: string): string {
  return normalizePath(isAbsolute(path) ? path : `${base}/${path}`);
}

export function isAbsolute(path: string): boolean {
  return path.startsWith('/') || DRIVE.test(path);
}

/** Compares by whole segments, so `/root2` is not inside `/root`. Both paths must be normalized. */
export function isInside(root: string, path: string): boolean {
  if (root === '/') return path.startsWith('/');
  return path === root || (path.startsWith(root) && path.charCodeAt(root.length) === SLASH);
}

/** Is this normalized path in one of the workspace's folders, also after its links are followed? */
export function isInWorkspace(workspace: Workspace, path: string): boolean {
  if (!isInRoots(workspace, path)) return false;
  return workspace.realPath === undefined || isInRoots(workspace, normalizePath(workspace.realPath(path)));
}

/**
 * One spelling for all the spellings a file system may take for the same file: case (macOS, Windows), composed and
 * decomposed letters (macOS), characters that HFS+ ignores, and dots, spaces and streams that NTFS drops from a name's end.
 */
export function foldPath(path: string): string {
  if (PLAIN.test(path)) return path;
  if (ORDINARY.test(path)) return path.toLowerCase();
  return path
    .normalize('NFC')
    .replace(IGNORABLE, '')
    .toLowerCase()
    .split('/')
    .map((segment) => (segment === '.' || segment === '..' ? segment : withoutTail(segment)))
    .join('/');
}

/** NTFS drops dots and blanks at the end of a name, and what follows a colon names a stream of the same file. */
function withoutTail(name: string): string {
  const colon = name.indexOf(':');
  let end = colon < 0 ? name.length : colon;
  while (end > 0 && (name[end - 1] === '.' || name[end - 1] === ' ')) end -= 1;
  return name.slice(0, end);
}

function isInRoots(workspace: Workspace, path: string): boolean {
  if (isInside(workspace.cwd, path)) return true;
  return workspace.additionalDirectories?.some((root) => isInside(root, path)) ?? false;
}

const SLASH = 47;
const DRIVE = /^[A-Za-z]:[\\/]/;
const DRIVE_SEGMENT = /^[A-Za-z]:$/;
const UNTIDY = /\/\/|\/\.{0,2}(?:\/|$)|^\.{1,2}(?:\/|$)/;
const PLAIN = /^[a-z0-9_\-/]*(?:\.[a-z0-9_\-/]+)*$/;
/** Names in ASCII without a colon, none of which ends in a dot or a blank. */
const ORDINARY = /^(?:[/\w\-@+~,=#%$!&'()[\]{};^`]|[. ]+(?=[^/. :])(?=[\x21-\x7e]))*$/;
const IGNORABLE = /\p{Cf}|\p{Variation_Selector}/gu;
