import type { FolderEntry } from '../src/index.ts';

/** Folders, files and links in memory, looked at the way a policy looks at a disk. */
export interface MemoryDisk {
  readonly name: string;
  readonly realPath: (path: string) => string;
  /** Left out where a disk can only be asked for links. */
  readonly listFolder: ((path: string, limit: number) => readonly FolderEntry[] | undefined) | undefined;
}

/** Makes a disk of paths; `link -> target` is a link, a path that ends in a slash a folder. */
export function createMemoryDisk(name: string, lines: readonly string[]): MemoryDisk {
  const links = new Map<string, string>();
  const folders = new Map<string, Map<string, FolderEntry['type']>>([['/', new Map()]]);
  for (const line of lines) {
    const [path = '', target] = line.split(' -> ');
    if (target !== undefined) links.set(path, target);
    add(folders, path.replace(/\/$/, ''), target !== undefined ? 'link' : path.endsWith('/') ? 'folder' : 'file');
  }
  const realPath = (path: string, left = 40): string => {
    let real = '';
    const segments = path.split('/').filter((segment) => segment !== '');
    for (const [index, segment] of segments.entries()) {
      if (segment === '.') continue;
      real = segment === '..' ? real.slice(0, real.lastIndexOf('/')) : `${real}/${segment}`;
      const target = links.get(real);
      if (target === undefined || left === 0) continue;
      const rest = segments.slice(index + 1).join('/');
      const start = target.startsWith('/') ? target : `${real.slice(0, real.lastIndexOf('/'))}/${target}`;
      return realPath(`${start}/${rest}`, left - 1);
    }
    return real || '/';
  };
  return {
    name,
    realPath: (path) => realPath(path),
    listFolder(path, limit) {
      const entries = folders.get(realPath(path));
      return entries && [...entries].slice(0, limit).map(([entry, type]) => ({ name: entry, type }));
    },
  };
}

function add(folders: Map<string, Map<string, FolderEntry['type']>>, path: string, type: FolderEntry['type']): void {
  const slash = path.lastIndexOf('/');
  const parent = path.slice(0, slash) || '/';
  if (!folders.has(parent)) add(folders, parent, 'folder');
  folders.get(parent)?.set(path.slice(slash + 1), type);
  if (type === 'folder' && !folders.has(path)) folders.set(path, new Map());
}

/** A plain project. */
export const PLAIN_DISK: MemoryDisk = createMemoryDisk('plain', [
  '/home/me/.ssh/id_rsa',
  '/proj/app/package.json',
  '/proj/app/README.md',
  '/proj/app/a.ts',
  '/proj/app/src/index.ts',
  '/proj/app/src/main.ts',
  '/proj/app/src/a.ts',
  '/proj/app/src/api/users.ts',
  '/proj/app/test/a.test.ts',
  '/proj/app/docs/index.md',
  '/proj/app/.git/HEAD',
  '/proj/app/node_modules/.bin/tsc -> ../typescript/bin/tsc',
  '/proj/app/node_modules/typescript/bin/tsc',
  '/proj/app/packages/a/package.json',
]);

/** A project that somebody prepared: links that lead out or to guarded places, repositories of their own, odd names. */
export const HOSTILE_DISK: MemoryDisk = createMemoryDisk('hostile', [
  '/home/me/.ssh/id_rsa',
  '/home/me/.bashrc',
  '/etc/passwd',
  '/proj/secret.txt',
  '/proj/app/package.json',
  '/proj/app/src/a.ts',
  '/proj/app/src/up -> ../../secret.txt',
  '/proj/app/keylink -> /home/me/.ssh/id_rsa',
  '/proj/app/sshlink -> /home/me/.ssh',
  '/proj/app/gitl -> .git',
  '/proj/app/self -> .',
  '/proj/app/deep/er/out -> ../../../secret.txt',
  '/proj/app/.git/HEAD',
  '/proj/app/.git/hooks/',
  '/proj/app/.env',
  '/proj/app/envl -> .env',
  '/proj/app/odd/a b.ts',
  '/proj/app/dash/--compress-program=sh',
  '/proj/app/dash/-rf',
  '/proj/app/sub/mcp.json',
  '/proj/app/vendor/evil/HEAD',
  '/proj/app/vendor/evil/config',
  '/proj/app/vendor/evil/objects/',
  '/proj/app/vendor/evil/refs/',
  '/proj/app/vendor/evil/sub/x',
  '/proj/app/vendor/mod/.git',
  '/proj/app/vendor/mod/src/x',
  '/proj/app/evillink -> vendor/evil/sub',
  '/proj/app/vendor/com/HEAD',
  '/proj/app/vendor/com/commondir',
  '/proj/app/a/objlink -> ../vendor/evil/objects',
  '/proj/app/a/b/link -> ../outside',
  '/proj/app/sub/d1/d2/d3/link -> ../../../../k',
  '/proj/app/k/x',
  '/proj/app/plain/x.ts',
]);
