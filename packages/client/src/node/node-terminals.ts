import { SpawnError } from '@parley/host/process';
import { errorOfKind } from '@parley/protocol';
import type { TerminalHost, TerminalHostOptions } from '../terminals/terminal-host.ts';

/** Commands of this machine, each in a process group of its own, without a shell. */
export function createNodeTerminals(options: TerminalHostOptions = {}): TerminalHost {
  const { env: allowedEnv = [], killGraceMs } = options;
  return {
    async create({ command, args, env, cwd, outputByteLimit: maxOutputBytes, onOutput }) {
      // Loaded with the first command: most agents ask for none.
      const { startCommand } = await import('@parley/host/commands');
      try {
        const rest = { maxOutputBytes, onOutput, ...(killGraceMs !== undefined && { killGraceMs }) };
        return await startCommand({ command, args, env, allowedEnv, cwd, ...rest });
      } catch (error) {
        if (!(error instanceof SpawnError)) throw error;
        throw errorOfKind('invalid_params', { message: error.message });
      }
    },
  };
}
