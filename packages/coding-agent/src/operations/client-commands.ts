import type { ClientPeer } from '@parley/agent';
import type { CommandOperations, RunningCommand, StartCommandOptions } from '../tools/operations.ts';
import type { OnBackground } from './local-commands.ts';

/** Commands in the client's terminals, where the person sees them live. */
export function clientCommands(client: ClientPeer, onBackground: OnBackground): CommandOperations {
  return {
    async start({ command, cwd, maxOutputBytes, signal }: StartCommandOptions): Promise<RunningCommand> {
      const terminal = await client.createTerminal({
        command: '/bin/sh',
        args: ['-c', command],
        cwd,
        outputByteLimit: maxOutputBytes,
        ...(signal && { signal }),
      });
      const stop = (): Promise<void> => terminal.release();
      onBackground(stop);
      let last = { text: '', isTruncated: false };
      const output = async (): Promise<typeof last> => {
        const now = await terminal.output();
        last = { text: now.output, isTruncated: now.truncated };
        return last;
      };
      return {
        terminalId: terminal.id,
        exit: terminal
          .waitForExit()
          .then(({ exitCode, signal: by }) => ({ exitCode: exitCode ?? null, signal: by ?? null })),
        output,
        stop,
      };
    },
  };
}
