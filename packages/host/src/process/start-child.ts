import { type ChildProcessByStdio, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import type { Duplex, Readable, Writable } from 'node:stream';
import { SECRETS_FD, SECRETS_FD_VARIABLE, writeSecretsPipe } from '../secrets/secrets-pipe.ts';
import { explainSpawnFailure } from './spawn-error.ts';
import { type ResolvedCommand, resolveWindowsCommand } from './windows-command.ts';

export interface StartChildOptions {
  readonly command: string;
  readonly args?: readonly string[];
  readonly cwd?: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Variables that the process reads from a pipe instead of its environment; only our own programs do (`takeEnvironment`). */
  readonly secrets?: Readonly<Record<string, string>>;
  /** `ignore`: it reads nothing. */
  readonly stdin: 'pipe' | 'ignore';
  /** Whether it has Node's channel to us. Default: false. */
  readonly hasChannel?: boolean;
}

export interface StartedChild<Stdin extends Writable | null> {
  readonly child: ChildProcessByStdio<Stdin, Readable, Readable>;
  readonly pid: number;
}

/** Starts a command in a process group of its own; throws `SpawnError`, which says what to do. */
export async function startChild(
  options: StartChildOptions & { readonly stdin: 'pipe' },
): Promise<StartedChild<Writable>>;
export async function startChild(
  options: StartChildOptions & { readonly stdin: 'ignore' },
): Promise<StartedChild<null>>;
export async function startChild(options: StartChildOptions): Promise<StartedChild<Writable | null>>;
export async function startChild(options: StartChildOptions): Promise<StartedChild<Writable | null>> {
  const { command, cwd, stdin, secrets = {}, hasChannel = false } = options;
  // Windows shows no environment of other processes in files.
  const hasPipe = process.platform !== 'win32' && Object.keys(secrets).length > 0;
  const env = hasPipe ? { ...options.env, [SECRETS_FD_VARIABLE]: String(SECRETS_FD) } : { ...options.env, ...secrets };
  const { args, isVerbatim, command: file } = resolveCommand(options);
  try {
    const child = spawn(file, args, {
      cwd,
      env,
      stdio: [
        stdin,
        'pipe',
        'pipe',
        ...(hasPipe ? (['pipe'] as const) : []),
        ...(hasChannel ? (['ipc'] as const) : []),
      ],
      // A group of its own, so that it can be stopped with all it has started. On Windows this would open a console.
      detached: process.platform !== 'win32',
      windowsHide: true,
      windowsVerbatimArguments: isVerbatim,
    }) as ChildProcessByStdio<Writable | null, Readable, Readable>;
    if (child.pid !== undefined) {
      if (hasPipe) void writeSecretsPipe(child.stdio[SECRETS_FD] as Duplex, secrets);
      return { child, pid: child.pid };
    }
    const [error] = await once(child, 'error');
    throw error;
  } catch (cause) {
    throw await explainSpawnFailure(command, cwd, cause);
  }
}

function resolveCommand({ command, args = [], env }: StartChildOptions): ResolvedCommand {
  if (process.platform !== 'win32') return { command, args, isVerbatim: false };
  return resolveWindowsCommand(command, args, { env, isFile: existsSync });
}
