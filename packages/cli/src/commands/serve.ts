import { Exit } from '@parley/host/command-line';
import type { Command } from 'commander';
import type { CliContext } from '../context.ts';
import { sharedFlags } from '../flags/shared-flags.ts';
import type { ServeFlags } from '../serve/serve-flags.ts';

/** `parley serve`: agents on the network, with sessions that outlive connections and processes. */
export function configure(command: Command, context: CliContext): void {
  command
    .description('Hosts agents on the network: sessions that survive cut connections, for many clients at once.')
    .usage('[options] [agent...]')
    .argument('[agent...]', 'besides those of the settings: a name, or name=command')
    .option('--port <port>', 'the port (7700); 0 takes a free one')
    .option('--host <address>', 'the address to listen on (127.0.0.1)')
    .option('--socket <path>', 'a unix domain socket instead, for a proxy')
    .option('--allow-remote', 'on an address that other machines can reach')
    .option('--tls-cert <file>', 'serve https and wss with this certificate (PEM)')
    .option('--tls-key <file>', 'its key (PEM)')
    .option('--store <place>', 'where sessions are kept: a file (gateway.db in the state folder) or postgres://...')
    .option('--no-store', 'keep sessions in memory only')
    .option('--host-files', 'files of this machine for agents whose client offers none')
    .option('--host-terminals', 'commands on this machine, the same')
    .option('--log-level <level>', 'debug, info, warn, error or silent')
    .option('--log-file <file>', 'where the log goes; stderr, unless that is a terminal')
    .option('--audit-file <file>', 'add to this file who did what')
    .option('--config <file>', "settings in place of the person's own")
    .option('--no-web', 'agents only, without the web client')
    .option('--open', 'show the web client in your browser')
    .option('--check', 'look whether it would start, and what is wrong')
    .option('--json', 'one line for scripts: {"url", "token", "pid", ...}')
    .addHelpText(
      'after',
      `
Our coding agent is hosted as "parley", in this process, and so are all agents
of the settings. /acp is the default agent (--agent), /acp/<name> another.

  parley serve                       what the settings have
  parley serve gemini                one more, which is the default then
  parley serve rev='./rev --acp'     a command, at /acp/rev
  parley serve --port 0 --json       for scripts
  parley --agent local               talk to it; local/gemini is another agent

The first start makes a token and shows it once as a link; --token-file or
PARLEY_TOKEN name another. The key "serve" of the settings has everything else:
people and their tokens, caps, TLS, logs. docs/gateway.md has more.`,
    )
    .action(async (words: readonly string[]) => {
      const flags = sharedFlags(command) as ServeFlags;
      const { serve } = await import('@parley/gateway/command');
      const { serveContext } = await import('../serve/serve-context.ts');
      throw new Exit(await serve(flags, serveContext(words, flags, context)));
    });
}
