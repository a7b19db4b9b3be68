import type { CommandOperations, CommandSandbox, RunningCommand, StartCommandOptions } from './operations.ts';
import { commandShell } from './shell.ts';

/** Told of each command that is started, so that it ends with the session; returns how to forget it. */
export type OnStart = (stop: () => Promise<void>, options: { readonly isBackground: boolean }) => () => void;

/** How long a stopped command may take to tidy up: a cancelled turn must be over at once. */
const KILL_GRACE_MS = 50;

/** Makes programs write plain text, none of them wait for a key, and git run nothing that a folder it is led into names. */
export const COMMAND_ENVIRONMENT: Readonly<Record<string, string>> = {
  NO_COLOR: '1',
  TERM: 'dumb',
  PAGER: 'cat',
  GIT_PAGER: 'cat',
  GIT_TERMINAL_PROMPT: '0',
  GIT_CONFIG_COUNT: '2',
  GIT_CONFIG_KEY_0: 'safe.bareRepository',
  GIT_CONFIG_VALUE_0: 'explicit',
  GIT_CONFIG_KEY_1: 'core.fsmonitor',
  GIT_CONFIG_VALUE_1: 'false',
};

/** Turns a command line into the program that runs it. */
export type Wrap = (line: string, cwd: string) => { readonly command: string; readonly args: readonly string[] };

export interface LocalCommandsOptions {
  /** Default: the line in the shell. */
  readonly wrap?: Wrap;
  /** The sandbox that `wrap` puts commands in. They get no more of our environment than they need to run. */
  readonly sandbox?: CommandSandbox;
}

/** Inside, git must not write to its index, and temporary files are in the private /tmp. */
const SANDBOX_ENVIRONMENT: Readonly<Record<string, string>> = {
  ...COMMAND_ENVIRONMENT,
  GIT_OPTIONAL_LOCKS: '0',
  TMPDIR: '/tmp',
};

/** Commands of this machine, each in a process group of its own, with the person's environment less what looks secret. */
export function localCommands(
  onStart: OnStart,
  { wrap = inShell, sandbox }: LocalCommandsOptions = {},
): CommandOperations {
  return {
    async start(options: StartCommandOptions): Promise<RunningCommand> {
      const { cwd, maxOutputBytes, onOutput = () => {}, isBackground = false, signal } = options;
      const { startCommand } = await import('@parley/host/commands');
      signal?.throwIfAborted();
      const started = await startCommand({
        ...wrap(options.command, cwd),
        env: sandbox ? SANDBOX_ENVIRONMENT : COMMAND_ENVIRONMENT,
        allowedEnv: sandbox ? [] : 'withoutSecrets',
        cwd,
        maxOutputBytes,
        onOutput,
        killGraceMs: KILL_GRACE_MS,
      });
      const onAbort = (): void => void stop();
      const forget = onStart(stop, { isBackground });
      if (!isBackground) signal?.addEventListener('abort', onAbort, { once: true });
      if (signal?.aborted) await stop();
      return {
        ...(sandbox && { sandbox }),
        exit: started.exited,
        output: async () => {
          const { output, isTruncated } = started.readOutput();
          return { text: output, isTruncated };
        },
        stop,
      };

      async function stop(): Promise<void> {
        signal?.removeEventListener('abort', onAbort);
        await started.release();
        forget();
      }
    },
  };
}

/** The program that runs a line in the shell. */
export function inShell(line: string): ReturnType<Wrap> {
  const { command, args } = commandShell();
  return { command, args: [...args, line] };
}
