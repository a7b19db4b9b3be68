import type { Client } from '@parley/agent';
import { COMMAND_ENVIRONMENT, inShell } from './local-commands.ts';
import type { CommandOperations, RunningCommand, StartCommandOptions } from './operations.ts';

/** Commands in the client's terminals, where the person sees them live. They end with the turn at the latest. */
export function clientCommands(client: Client): CommandOperations {
  return {
    async start({ command, cwd, maxOutputBytes, signal }: StartCommandOptions): Promise<RunningCommand> {
      const terminal = await client.createTerminal({
        ...inShell(command),
        env: COMMAND_ENVIRONMENT,
        cwd,
        outputByteLimit: maxOutputBytes,
        ...(signal && { signal }),
      });
      return {
        terminalId: terminal.id,
        exit: terminal
          .waitForExit()
          .then(({ exitCode, signal: by }) => ({ exitCode: exitCode ?? null, signal: by ?? null })),
        async output() {
          const { output, truncated } = await terminal.output();
          return { text: output, isTruncated: truncated };
        },
        async stop() {
          const released = terminal.release();
          // A cancelled turn does not wait for the client to have stopped it.
          if (signal?.aborted) void released.catch(() => {});
          else await released;
        },
      };
    },
  };
}
