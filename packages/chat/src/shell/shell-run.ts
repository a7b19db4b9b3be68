import { spawn } from 'node:child_process';

/** A command that the person runs from the chat, in the folder of the session. */
export interface ShellRun {
  readonly command: string;
  /** What it has written so far. */
  readonly output: string;
  /** Resolves when it has ended, with how it ended in words; undefined when all went well. */
  readonly ended: Promise<string | undefined>;
  stop(): void;
}

export interface ShellRunOptions {
  readonly cwd: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Something was written. */
  readonly onOutput?: () => void;
}

/** More is dropped, from the beginning. */
const MAX_OUTPUT_CHARACTERS = 1024 * 1024;
/** So long a command has to end by itself. */
const GRACE_MS = 2000;

/** Runs a command line in the person's shell. It reads nothing: the keyboard stays with the chat. */
export function runShell(command: string, { cwd, env, onOutput }: ShellRunOptions): ShellRun {
  const isWindows = process.platform === 'win32';
  const [shell, ...args] = isWindows
    ? [env.ComSpec || 'cmd.exe', '/d', '/s', '/c', `"${command}"`]
    : [env.SHELL || '/bin/sh', '-c', command];
  const child = spawn(shell, args, {
    cwd,
    env: { ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
    // A group of its own, so that all of it can be ended.
    detached: !isWindows,
    windowsHide: true,
    windowsVerbatimArguments: isWindows,
  });
  let output = '';
  const take = (text: string): void => {
    output = (output + text).slice(-MAX_OUTPUT_CHARACTERS);
    onOutput?.();
  };
  for (const stream of [child.stdout, child.stderr]) stream?.setEncoding('utf8').on('data', take);
  const ended = new Promise<string | undefined>((resolve) => {
    child.once('error', (error) => resolve(`${shell} cannot be run: ${error.message}`));
    child.once('close', (code, signal) => resolve(signal ? `ended by ${signal}` : code ? `exit ${code}` : undefined));
  });
  const kill = (signal: NodeJS.Signals): void => {
    try {
      if (isWindows || child.pid === undefined) child.kill(signal);
      else process.kill(-child.pid, signal);
    } catch {
      // It has ended meanwhile.
    }
  };
  return {
    command,
    get output() {
      return output;
    },
    ended,
    stop() {
      kill('SIGTERM');
      const timer = setTimeout(() => kill('SIGKILL'), GRACE_MS);
      timer.unref();
      void ended.then(() => clearTimeout(timer));
    },
  };
}
