import { lstatSync, opendirSync, readlinkSync, realpathSync } from 'node:fs';
import { isAbsolute, join, sep } from 'node:path';

/** Longest path that is looked up; the system knows none that are longer. */
const MAX_PATH_CHARS = 4096;
/** Most links that one path may lead through, as in Linux. */
const MAX_LINKS = 40;

/** One thing in a folder; links are not followed. */
export interface FolderEntry {
  readonly name: string;
  readonly type: 'file' | 'folder' | 'link' | 'other';
}

/** Follows the links of an absolute path as far as it exists; a link whose target is missing leads there all the same. */
export function realPath(path: string): string {
  if (path.length > MAX_PATH_CHARS) return path;
  try {
    return realpathSync.native(path);
  } catch {
    return process.platform === 'win32' ? path : followLinks(path);
  }
}

function followLinks(path: string): string {
  let segments = path.split(sep).reverse();
  let current = '';
  let isMissing = false;
  for (let links = 0; segments.length > 0; ) {
    const segment = segments.pop() ?? '';
    if (segment === '' || segment === '.') continue;
    if (segment === '..') {
      current = current.slice(0, Math.max(0, current.lastIndexOf(sep)));
      isMissing = false;
      continue;
    }
    const next = `${current}${sep}${segment}`;
    const target = isMissing ? undefined : readLink(next);
    if (target === null) isMissing = true;
    if (typeof target === 'string' && links < MAX_LINKS) {
      links += 1;
      segments = [...segments, ...target.split(sep).reverse()];
      if (isAbsolute(target)) current = '';
    } else {
      current = next;
    }
  }
  return current || sep;
}

/** Where a link leads; nothing when it is no link, null when there is nothing. */
function readLink(path: string): string | undefined | null {
  try {
    return lstatSync(path).isSymbolicLink() ? readlinkSync(path) : undefined;
  } catch {
    return null;
  }
}

/** What is in a folder, at most `limit` entries; nothing when it cannot be read. */
export function listFolder(path: string, limit: number): readonly FolderEntry[] | undefined {
  if (path.length > MAX_PATH_CHARS) return undefined;
  const entries: FolderEntry[] = [];
  try {
    const folder = opendirSync(join(path, '.'), { bufferSize: 256 });
    try {
      for (let entry = folder.readSync(); entry !== null && entries.length < limit; entry = folder.readSync()) {
        const type = entry.isSymbolicLink()
          ? 'link'
          : entry.isDirectory()
            ? 'folder'
            : entry.isFile()
              ? 'file'
              : 'other';
        entries.push({ name: entry.name, type });
      }
    } finally {
      folder.closeSync();
    }
  } catch {
    return undefined;
  }
  return entries;
}
