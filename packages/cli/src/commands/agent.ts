import { Exit, usageError } from '@parley/host/command-line';
import type { Command } from 'commander';
import type { AgentFlags } from '../agent/serve-agent.ts';
import type { CliContext } from '../context.ts';
import { sharedFlags } from '../flags/shared-flags.ts';

/** `parley agent`: our coding agent on this process's stdin and stdout. */
export function configure(command: Command, context: CliContext): void {
  command
    .description('Our coding agent on stdin and stdout, for editors and other clients; with --listen on the network.')
    .option('--login', 'ask for the key of a model provider in this terminal, and keep it (parley login)')
    .option('--no-store', 'keep sessions in memory only')
    .option('--initial-message <text>', 'tell the model this at the beginning of every new session')
    .option('--listen [host:port]', 'serve it on the network, for whoever has its token; default: 127.0.0.1:7700')
    .option('--port <port>', 'with --listen: the port; 0 takes a free one')
    .option('--json', 'with --listen: where it is, as one line of JSON')
    .option('--allow-remote', 'with --listen: on an address that other machines can reach')
    .option('--tls-cert <file>', 'with --listen: serve https and wss with this certificate (PEM)')
    .option('--tls-key <file>', 'with --listen: its key (PEM)')
    .addHelpText(
      'after',
      `
An editor starts it: the settings of Zed, JetBrains, Neovim, Emacs and VS Code
are in docs/editors.md. Sessions are kept in $XDG_STATE_HOME/parley/sessions.db.
permissions, model and mcpServers of the settings hold here too;
--permission-mode, --model, --mcp-config and --mcp-server take their place or
add to them. How the client words ACP is found out; --dialect <name> says so
from the start, --dialect none reads ACP alone.

With --listen, the first start makes a token and shows it once; --token-file or
PARLEY_TOKEN name another. \`parley --agent local\` finds the agent by itself;
docs/network.md has more.`,
    )
    .action(async () => {
      const flags = sharedFlags(command) as AgentFlags;
      if (flags.login) {
        const { logIn } = await import('../login/log-in.ts');
        throw new Exit(await logIn(undefined, context));
      }
      if (flags.listen !== undefined) {
        const { listenAgent } = await import('../agent/listen-agent.ts');
        throw new Exit(await listenAgent(flags, context));
      }
      const only = (['port', 'json', 'allowRemote', 'tlsCert', 'tlsKey'] as const).find(
        (name) => flags[name] !== undefined,
      );
      if (only !== undefined) throw usageError('--port, --json, --allow-remote and --tls-* belong to --listen.');
      const { serveAgent } = await import('../agent.program.ts');
      throw new Exit(await serveAgent(flags, context));
    });
}
