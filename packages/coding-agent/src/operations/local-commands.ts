import { createNodeTerminals } from '@parley/client/node';
import type { CommandOperations, RunningCommand, StartCommandOptions } from '../tools/operations.ts';

/** Told of each command that is started, so that it ends with the session; returns how to forget it. */
export type OnStart = (stop: () => Promise<void>, options: { readonly isBackground: boolean }) => () => void;

/** How long a stopped command may take to tidy up: a cancelled turn must be over at once. */
const KILL_GRACE_MS = 50;

/** The shell that reads a command line. */
export const SHELL: { readonly command: string; readonly args: readonly string[] } =
  process.platform === 'win32'
    ? { command: 'cmd.exe', args: ['/d', '/s', '/c'] }
    : { command: '/bin/sh', args: ['-c'] };

/** Makes programs write plain text, and none of them wait for a key. */
export const PLAIN_OUTPUT: Readonly<Record<string, string>> = {
  NO_COLOR: '1',
  TERM: 'dumb',
  PAGER: 'cat',
  GIT_PAGER: 'cat',
  GIT_TERMINAL_PROMPT: '0',
};

/** Turns a command line into the program that runs it. */
export type Wrap = (line: string, cwd: string) => { readonly command: string; readonly args: readonly string[] };

/** Commands of this machine, each in a process group of its own, with an environment free of keys and tokens. */
export function localCommands(onStart: OnStart, wrap: Wrap = inShell): CommandOperations {
  const terminals = createNodeTerminals({ killGraceMs: KILL_GRACE_MS });
  return {
    async start(options: StartCommandOptions): Promise<RunningCommand> {
      const { cwd, maxOutputBytes, onOutput = () => {}, isBackground = false, signal } = options;
      signal?.throwIfAborted();
      const terminal = await terminals.create({
        sessionId: '',
        ...wrap(options.command, cwd),
        env: PLAIN_OUTPUT,
        cwd,
        outputByteLimit: maxOutputBytes,
        onOutput,
      });
      const onAbort = (): void => void stop();
      const forget = onStart(stop, { isBackground });
      if (!isBackground) signal?.addEventListener('abort', onAbort, { once: true });
      if (signal?.aborted) await stop();
      return {
        exit: terminal.exited,
        output: async () => {
          const { output, isTruncated } = terminal.readOutput();
          return { text: output, isTruncated };
        },
        stop,
      };

      async function stop(): Promise<void> {
        signal?.removeEventListener('abort', onAbort);
        await terminal.release();
        forget();
      }
    },
  };
}

function inShell(line: string): ReturnType<Wrap> {
  return { command: SHELL.command, args: [...SHELL.args, line] };
}
