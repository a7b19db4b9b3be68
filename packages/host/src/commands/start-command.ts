import { type ChildProcessByStdio, spawn } from 'node:child_process';
import { stat } from 'node:fs/promises';
import type { Readable } from 'node:stream';
import { createLaunch, prepareWatchdog, watchLaunch } from '@parley/host/process';
import { errorOfKind } from '@parley/protocol';
import type {
  HostedTerminal,
  TerminalHost,
  TerminalHostOptions,
  TerminalRequest,
} from '../../terminals/terminal-host.ts';
import { NodeTerminal } from './node-terminal.ts';
import { terminalEnv } from './terminal-env.ts';

export const DEFAULT_KILL_GRACE_MS: number = 2000;

/** Commands of this machine, each in a process group of its own, without a shell. */
export function createNodeTerminals(options: TerminalHostOptions = {}): TerminalHost {
  const { env = [], killGraceMs = DEFAULT_KILL_GRACE_MS } = options;
  return {
    async create(request: TerminalRequest): Promise<HostedTerminal> {
      const { command, args, cwd } = request;
      await requireDirectory(cwd);
      prepareWatchdog();
      const launch = createLaunch();
      const child = start(command, args, {
        cwd,
        env: { ...terminalEnv(process.env, env, request.env), ...launch.env },
      });
      // Should this process be killed, its terminals must not live on: from the first moment.
      const unwatch = child.pid === undefined ? () => {} : watchLaunch(child.pid, launch.id);
      await new Promise<void>((resolve, reject) => {
        child.once('spawn', resolve);
        child.once('error', (error) => reject(cannotStart(command, error)));
      });
      return new NodeTerminal(child, {
        maxOutputBytes: request.outputByteLimit,
        killGraceMs,
        launchId: launch.id,
        unwatch,
        onOutput: request.onOutput,
      });
    },
  };
}

interface Surroundings {
  readonly cwd: string;
  readonly env: NodeJS.ProcessEnv;
}

function start(
  command: string,
  args: readonly string[],
  surroundings: Surroundings,
): ChildProcessByStdio<null, Readable, Readable> {
  try {
    return spawn(command, args, {
      ...surroundings,
      stdio: ['ignore', 'pipe', 'pipe'],
      detached: process.platform !== 'win32',
      windowsHide: true,
    });
  } catch (error) {
    // An empty name, a NUL, and more arguments than the system takes are told at once.
    throw cannotStart(command, error as Error);
  }
}

async function requireDirectory(cwd: string): Promise<void> {
  const found = await stat(cwd).catch(() => undefined);
  if (!found?.isDirectory()) throw errorOfKind('invalid_params', { message: `cwd: ${cwd} is not a directory.` });
}

/** Characters of a command that an error repeats. */
const MAX_SHOWN = 200;

function cannotStart(command: string, error: Error & { code?: string }): unknown {
  const because =
    error.code === 'ERR_INVALID_ARG_VALUE'
      ? 'a name, an argument or a variable is empty or holds a NUL'
      : error.code === 'E2BIG'
        ? 'its arguments and variables are longer than the system takes'
        : error.code === 'ENOENT'
          ? 'there is no such command'
          : `the system refused (${error.code ?? error.message})`;
  const hint = /\s/.test(command.trim()) ? ' It is run without a shell: put arguments into `args`.' : '';
  const shown = command.length > MAX_SHOWN ? `${command.slice(0, MAX_SHOWN)}...` : command;
  return errorOfKind('invalid_params', { message: `Cannot run "${shown}": ${because}.${hint}` });
}
