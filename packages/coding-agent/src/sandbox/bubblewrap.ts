import { lstat, readlink } from 'node:fs/promises';
import { dirname } from 'node:path';

export interface BubblewrapOptions {
  /** The program `bwrap`. */
  readonly command: string;
  /** Directories that can be written to. Everything else can be read at most. */
  readonly roots: readonly string[];
}

/** A program and its arguments, to be run inside. */
export type Confine = (
  program: { readonly command: string; readonly args: readonly string[] },
  cwd: string,
) => { readonly command: string; readonly args: readonly string[] };

/** The system's programs and what they need to run; no home directories, no configuration with secrets in it. */
const READABLE = ['/usr', '/opt', '/nix/store'] as const;
const READABLE_IN_ETC = ['alternatives', 'ld.so.cache', 'localtime', 'ssl', 'ca-certificates', 'passwd', 'group'];
/** Links into /usr on most systems, directories on others. */
const MAYBE_LINKS = ['/bin', '/sbin', '/lib', '/lib32', '/lib64', '/libx32'] as const;
const PATH = '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin';

/**
 * Runs programs in namespaces of their own: the roots to write to, the system's programs to read, an empty /tmp and
 * home, no network, and nothing of our environment.
 */
export async function createBubblewrap({ command, roots }: BubblewrapOptions): Promise<Confine> {
  const node = dirname(dirname(process.execPath));
  const isNodeVisible = READABLE.some((path) => node === path || node.startsWith(`${path}/`));
  const fixed = [
    ...['--unshare-all', '--die-with-parent', '--new-session', '--clearenv'],
    ...READABLE.flatMap((path) => ['--ro-bind-try', path, path]),
    ...(await Promise.all(MAYBE_LINKS.map(showLink))).flat(),
    ...READABLE_IN_ETC.flatMap((name) => ['--ro-bind-try', `/etc/${name}`, `/etc/${name}`]),
    ...['--proc', '/proc', '--dev', '/dev', '--tmpfs', '/tmp'],
    ...(isNodeVisible ? [] : ['--ro-bind', node, node]),
    ...roots.flatMap((root) => ['--bind', root, root]),
    ...['--setenv', 'PATH', isNodeVisible ? PATH : `${node}/bin:${PATH}`],
    ...['--setenv', 'HOME', '/tmp', '--setenv', 'TMPDIR', '/tmp', '--setenv', 'LANG', 'C.UTF-8'],
    ...['--setenv', 'TERM', 'dumb', '--setenv', 'NO_COLOR', '1', '--setenv', 'PAGER', 'cat'],
  ];
  return (program, cwd) => ({
    command,
    args: [...fixed, '--chdir', cwd, '--', program.command, ...program.args],
  });
}

async function showLink(path: string): Promise<readonly string[]> {
  const found = await lstat(path).catch(() => undefined);
  if (!found) return [];
  return found.isSymbolicLink() ? ['--symlink', await readlink(path), path] : ['--ro-bind', path, path];
}
