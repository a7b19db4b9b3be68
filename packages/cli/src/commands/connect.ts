import { formatAddress } from '@parley/client';
import { Exit, usageError } from '@parley/host/command-line';
import type { Command } from 'commander';
import { withDialFlags } from '../agents/dial-flags.ts';
import { resolveAgent } from '../agents/resolve-agent.ts';
import { loadConfig } from '../config/load-config.ts';
import { connectStdio } from '../connect/connect-stdio.ts';
import type { CliContext } from '../context.ts';
import { sharedFlags } from '../flags/shared-flags.ts';

/** `parley connect`: an agent on the network for clients that only know programs. */
export function configure(command: Command, context: CliContext): void {
  command
    .description('An agent on the network as an agent on stdin and stdout, for editors that only start programs.')
    .usage('[options] <address>')
    .argument('[agent]', 'wss://host/acp, https://host/acp, host:port, local, or a name of the settings')
    .addHelpText(
      'after',
      `
In an editor's settings:
  "command": "parley",
  "args": ["connect", "wss://host/acp", "--token-file", "/home/me/agent-token"]

Every message passes as it is, in both directions. The token comes from
--token-file, from PARLEY_TOKEN, or from the settings of a named agent. A
connection that is lost ends the command with code 1: what was under way cannot
be taken up again from here, so the editor starts it again and loads the
session. parley itself (--agent wss://...) reconnects.`,
    )
    .action(async (word: string | undefined) => {
      const flags = sharedFlags(command);
      const name = word ?? flags.agent;
      if (name === undefined) throw usageError('Which agent?', 'parley connect wss://host/acp', 'parley connect local');
      const agent = withDialFlags(await resolveAgent(name, await loadConfig(context), context), flags, context);
      if (agent.address.kind === 'command') {
        const line = formatAddress(agent.address);
        throw usageError(`${name} is a program and speaks on stdio already; start it itself.`, line);
      }
      throw new Exit(await connectStdio(agent.address, agent.name, context));
    });
}
