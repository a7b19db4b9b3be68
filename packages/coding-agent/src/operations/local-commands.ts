import { createNodeTerminals } from '@parley/client/node';
import type { CommandOperations, RunningCommand, StartCommandOptions } from '../tools/operations.ts';

export type OnBackground = (stop: () => Promise<void>) => void;

const shell =
  process.platform === 'win32'
    ? { command: 'cmd.exe', args: ['/d', '/s', '/c'] }
    : { command: '/bin/sh', args: ['-c'] };

/** Commands of this machine, each in a process group of its own, with an environment free of keys and tokens. */
export function localCommands(onBackground: OnBackground): CommandOperations {
  const terminals = createNodeTerminals();
  return {
    async start({ command, cwd, maxOutputBytes, onOutput, signal }: StartCommandOptions): Promise<RunningCommand> {
      signal?.throwIfAborted();
      const terminal = await terminals.create({
        sessionId: '',
        command: shell.command,
        args: [...shell.args, command],
        env: { NO_COLOR: '1', TERM: 'dumb', PAGER: 'cat', GIT_PAGER: 'cat' },
        cwd,
        outputByteLimit: maxOutputBytes,
        onOutput: onOutput ?? (() => {}),
      });
      const stop = (): Promise<void> => terminal.release();
      onBackground(stop);
      signal?.addEventListener('abort', () => void stop(), { once: true });
      return {
        exit: terminal.exited,
        output: async () => {
          const { output, isTruncated } = terminal.readOutput();
          return { text: output, isTruncated };
        },
        stop,
      };
    },
  };
}
