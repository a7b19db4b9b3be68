import { delimiter } from 'node:path';
import { findProgram } from '@parley/host/programs';
import type { Shell } from '@parley/policy';

/** The shell that reads a command line, and what a policy has to know of it. */
export interface CommandShell {
  readonly command: string;
  /** Come before the line. */
  readonly args: readonly string[];
  readonly kind: Shell;
  /** For the model. */
  readonly name: string;
}

let found: CommandShell | undefined;

/** bash where there is one, because command lines are judged as bash reads them; looked for once. */
export function commandShell(): CommandShell {
  found ??= findShell(process.platform, process.env.PATH ?? '');
  return found;
}

export function findShell(platform: NodeJS.Platform, path: string): CommandShell {
  if (platform === 'win32') return { command: 'cmd.exe', args: ['/d', '/s', '/c'], kind: 'other', name: 'cmd.exe' };
  const bash = findProgram('bash', { env: { PATH: [...SYSTEM_FOLDERS, path].join(delimiter) } });
  // No start file, function or setting of the environment changes what the line means.
  return bash === undefined
    ? { command: '/bin/sh', args: ['-c'], kind: 'sh', name: 'sh' }
    : { command: bash, args: ['--noprofile', '--norc', '-p', '-c'], kind: 'bash', name: 'bash' };
}

/** Folders that only the system's owner can change come before the PATH. */
const SYSTEM_FOLDERS = ['/bin', '/usr/bin', '/usr/local/bin', '/opt/homebrew/bin', '/run/current-system/sw/bin'];
