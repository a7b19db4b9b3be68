import { existsSync, lstatSync, readlinkSync, realpathSync } from 'node:fs';
import { delimiter, dirname, isAbsolute } from 'node:path';
import type { Confine, ConfineOptions } from './confine.ts';
import { type Credential, findCredentials } from './credentials.ts';
import { findProtected } from './protected-names.ts';
import { seccompFile } from './seccomp.ts';

export interface BubblewrapOptions extends ConfineOptions {
  /** The program `bwrap`. */
  readonly command: string;
  /** One of `ISOLATIONS`. */
  readonly isolation: readonly string[];
}

/** Capabilities are dropped because bubblewrap leaves root all of them; `--disable-userns` came with version 0.8. */
const ALWAYS = ['--unshare-all', '--cap-drop', 'ALL', '--die-with-parent', '--new-session'] as const;

/** The strongest first: some kernels, containers and older versions have less. */
export const ISOLATIONS: readonly (readonly string[])[] = [
  [...ALWAYS, '--unshare-user', '--disable-userns'],
  [...ALWAYS, '--unshare-user'],
  ALWAYS,
];

/** The system's programs and their files; no home directories, no configuration with secrets in it. */
const READABLE = ['/usr', '/opt', '/nix/store'] as const;
const READABLE_IN_ETC = ['alternatives', 'ld.so.cache', 'localtime', 'ssl', 'ca-certificates', 'passwd', 'group'];
/** Links into /usr on most systems, directories on others. */
const MAYBE_LINKS = ['/bin', '/sbin', '/lib', '/lib32', '/lib64', '/libx32'] as const;
const PATH = '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin';
/** Read-only: without capabilities, root could still write to the kernel's settings in /proc/sys. */
const PROC = ['--proc', '/proc', '--remount-ro', '/proc'] as const;
/** Other users' files, and the sockets of servers: docker, dbus, ssh agents. */
const PRIVATE = ['/tmp', '/run'] as const;
/** NixOS has its programs here. */
const READABLE_IN_RUN = ['/run/current-system'] as const;

/** Runs programs in namespaces of their own, without capabilities; without a network unless told otherwise. */
export function createBubblewrap({ command, isolation, ...options }: BubblewrapOptions): Confine {
  const flags = [...isolation, ...(options.hasNetwork ? ['--share-net'] : [])];
  // Built for each program: credentials and protected names may be new.
  const mount = options.profile === 'isolated' ? systemPrograms : everythingReadable;
  return (program, cwd) => {
    const args = [...flags, ...mount(options, cwd), '--chdir', cwd, '--', program.command, ...program.args];
    // Inside `isolated` there are no sockets but those of the workspace.
    const filter = options.profile === 'isolated' || options.hasSockets ? undefined : seccompFile();
    if (filter === undefined) return { command, args };
    return { command: '/bin/sh', args: ['-c', 'exec "$@" 9< "$0"', filter, command, '--seccomp', '9', ...args] };
  };
}

/** Everything is read-only; credentials are empty, and so are /tmp and /run except for what belongs to this work. */
function everythingReadable(options: ConfineOptions, cwd: string): string[] {
  const { roots, readable = [], writable = [], hasNetwork = false } = options;
  const inPrivate = [...readable, cwd, ...pathFolders()].filter(isPrivate);
  return [
    ...['--ro-bind', '/', '/', ...PROC, '--dev', '/dev'],
    ...privateFolders().flatMap((folder) => ['--tmpfs', folder]),
    // A link into /run on many systems.
    ...(hasNetwork ? ['--ro-bind-try', realPath('/etc/resolv.conf'), realPath('/etc/resolv.conf')] : []),
    ...[...READABLE_IN_RUN, ...inPrivate].flatMap((path) => ['--ro-bind-try', path, path]),
    ...showRoots(options),
    // A root that was named by a link in a private folder keeps its name.
    ...roots.flatMap((root) => (isPrivate(root) && realPath(root) !== root ? ['--symlink', realPath(root), root] : [])),
    ...writable.flatMap((path) => ['--bind-try', path, path]),
  ];
}

/** The roots to write to, the system's programs to read, an empty /tmp and home, and nothing of our environment. */
function systemPrograms(options: ConfineOptions): string[] {
  const node = dirname(dirname(process.execPath));
  const isNodeVisible = READABLE.some((path) => isIn(node, path));
  return [
    '--clearenv',
    ...READABLE.flatMap((path) => ['--ro-bind-try', path, path]),
    ...MAYBE_LINKS.flatMap(showLink),
    ...READABLE_IN_ETC.flatMap((name) => ['--ro-bind-try', `/etc/${name}`, `/etc/${name}`]),
    ...[...PROC, '--dev', '/dev', '--tmpfs', '/tmp'],
    ...(isNodeVisible ? [] : ['--ro-bind', node, node]),
    ...showRoots(options),
    ...['--setenv', 'PATH', isNodeVisible ? PATH : `${node}/bin:${PATH}`],
    ...['--setenv', 'HOME', '/tmp', '--setenv', 'TMPDIR', '/tmp', '--setenv', 'LANG', 'C.UTF-8'],
    ...['--setenv', 'TERM', 'dumb', '--setenv', 'NO_COLOR', '1', '--setenv', 'PAGER', 'cat'],
  ];
}

/** A workspace below a hidden folder is seen, and a hidden folder below the workspace is not. */
function showRoots({ profile, roots, writable = [] }: ConfineOptions): string[] {
  const real = roots.map(realPath);
  const isInRoot = (path: string): boolean => real.some((root) => isIn(path, root));
  const opened = writable.map(realPath);
  const hidden = findCredentials().filter(({ path }) => !opened.some((folder) => isIn(path, folder)));
  const [outside, inside] = [hidden.filter(({ path }) => !isInRoot(path)), hidden.filter(({ path }) => isInRoot(path))];
  const isReadOnly = profile === 'reading';
  return [
    ...(profile === 'isolated' ? [] : outside.flatMap(hide)),
    ...real.flatMap((root) => (root === '/' ? [] : [isReadOnly ? '--ro-bind' : '--bind', root, root])),
    ...(isReadOnly
      ? []
      : findProtected(real)
          .filter(isInRoot)
          .flatMap((path) => ['--ro-bind', path, path])),
    ...inside.flatMap(hide),
  ];
}

function hide({ path, isFolder }: Credential): readonly string[] {
  return isFolder ? ['--tmpfs', path, '--remount-ro', path] : ['--ro-bind', '/dev/null', path];
}

function isPrivate(path: string): boolean {
  return [...PRIVATE, ...privateFolders()].some((folder) => path !== folder && isIn(path, folder));
}

/** Without links; of those that exist. */
function privateFolders(): readonly string[] {
  return PRIVATE.map(realPath).filter((folder) => existsSync(folder));
}

/** Programs may be installed in a private folder: fnm has its links in /run. */
function pathFolders(): readonly string[] {
  return (process.env.PATH ?? '').split(delimiter).filter((folder) => isAbsolute(folder));
}

function showLink(path: string): readonly string[] {
  const found = lstatSync(path, { throwIfNoEntry: false });
  if (!found) return [];
  return found.isSymbolicLink() ? ['--symlink', readlinkSync(path), path] : ['--ro-bind', path, path];
}

function isIn(path: string, folder: string): boolean {
  return path === folder || path.startsWith(folder === '/' ? folder : `${folder}/`);
}

function realPath(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    return path;
  }
}
