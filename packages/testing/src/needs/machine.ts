import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { tmpdir } from 'node:os';
import type { Need } from './needs.ts';

export const POSIX: Need = { isMet: process.platform !== 'win32', reason: 'Windows has no POSIX processes and files' };

/** Linux with its `/proc`. */
export const PROC: Need = {
  isMet: process.platform === 'linux' && existsSync('/proc/self/environ'),
  reason: 'no /proc found (Linux only)',
};

/** A device that takes no byte: a disk that is full. */
export const FULL_DEVICE: Need = { isMet: existsSync('/dev/full'), reason: 'no /dev/full found (Linux only)' };

export const ROOT: Need = { isMet: process.getuid?.() === 0, reason: 'not run as root' };

export const PRLIMIT: Need = {
  isMet: existsSync('/usr/bin/prlimit'),
  reason: 'no prlimit found (apt-get install util-linux)',
};

/** Starts a program to find out, so it is a function. */
export function program(name: string, aptPackage: string = name): Need {
  return {
    isMet: spawnSync(name, ['--version']).status === 0,
    reason: `no ${name} found (apt-get install ${aptPackage})`,
  };
}

/** Whether bubblewrap can make a sandbox here. Starts a program to find out, so it is a function. */
export function bubblewrap(): Need {
  const args = ['--unshare-all', '--cap-drop', 'ALL', '--ro-bind', '/', '/', '--proc', '/proc', 'true'];
  return {
    isMet: process.platform === 'linux' && spawnSync('bwrap', args).status === 0,
    reason: 'no bubblewrap that works found (Linux with user namespaces; apt-get install bubblewrap)',
  };
}

/** The words before a command that runs it on a disk of its own, mounted at `folder`, which is its current directory. */
export function onSmallDisk(folder: string, megabytes: number): string[] {
  const mount = `mount -t tmpfs -o size=${megabytes}m none "$1" && cd "$1" && shift && exec "$@"`;
  return ['unshare', '--user', '--map-root-user', '--mount', '/bin/sh', '-c', mount, 'sh', folder];
}

/** Whether `onSmallDisk` works. Starts a program to find out, so it is a function. */
export function smallDisk(): Need {
  const [command = '', ...words] = onSmallDisk(tmpdir(), 1);
  return {
    isMet: spawnSync(command, [...words, 'true']).status === 0,
    reason: 'no disk can be mounted here (Linux with unprivileged user namespaces; apt-get install util-linux)',
  };
}
