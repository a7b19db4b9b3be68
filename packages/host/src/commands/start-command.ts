import { createLaunch } from '../process/launch/launch-id.ts';
import { prepareWatchdog, watchLaunch } from '../process/launch/watchdog.ts';
import { startChild } from '../process/start-child.ts';
import { type AllowedEnv, commandEnv } from './command-env.ts';
import { RunningCommand } from './running-command.ts';

export interface StartCommandOptions {
  /** Run as it is, without a shell. */
  readonly command: string;
  readonly args?: readonly string[];
  /** Absolute. */
  readonly cwd: string;
  /** Added to what the command may see of our own environment. */
  readonly env?: Readonly<Record<string, string>>;
  /**
   * Variables of our own environment that the command may see, besides harmless ones such as PATH, HOME and LANG;
   * `withoutSecrets` for all but those that look like keys, tokens and passwords, by name or value; `inherit` for all
   * of them. Default: none.
   */
  readonly allowedEnv?: AllowedEnv;
  /** What it reads from its standard input. Default: nothing. */
  readonly input?: string;
  /** How much of the output is kept; the beginning goes first. */
  readonly maxOutputBytes: number;
  /** Hears each piece of output as it comes. */
  readonly onOutput?: (text: string) => void;
  /** How long it may take to end after SIGTERM, before SIGKILL. Default: 2 s. */
  readonly killGraceMs?: number;
}

export const DEFAULT_KILL_GRACE_MS: number = 2000;

/** Starts a command of this machine in a process group of its own, without a shell. Throws `SpawnError`. */
export async function startCommand(options: StartCommandOptions): Promise<RunningCommand> {
  const { command, args = [], cwd, env = {}, allowedEnv = [], killGraceMs = DEFAULT_KILL_GRACE_MS } = options;
  prepareWatchdog();
  const launch = createLaunch();
  const { child, pid } = await startChild({
    command,
    args,
    cwd,
    env: { ...commandEnv(process.env, allowedEnv, env), ...launch.env },
    stdin: options.input === undefined ? 'ignore' : 'pipe',
  });
  // A command that does not read it has ended its side; that is its own affair.
  child.stdin?.on('error', () => {});
  child.stdin?.end(options.input);
  // Should this process be killed, its commands must not live on: from the first moment.
  const unwatch = watchLaunch(pid, launch.id);
  return new RunningCommand(child, {
    maxOutputBytes: options.maxOutputBytes,
    killGraceMs,
    launch,
    unwatch,
    onOutput: options.onOutput ?? (() => {}),
  });
}
