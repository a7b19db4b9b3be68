import type { Command } from 'commander';
import type { AgentFlags } from '../agent/serve-agent.ts';
import type { CliContext } from '../context.ts';
import { sharedFlags } from '../run/settings/shared-flags.ts';
import { Exit } from './command.ts';

/** `parley agent`: our coding agent on this process's stdin and stdout. */
export function configure(command: Command, context: CliContext): void {
  command
    .description('Our coding agent on stdin and stdout, for editors and other clients.')
    .option('--no-store', 'keep sessions in memory only')
    .option('--initial-message <text>', 'tell the model this at the beginning of every new session')
    .addHelpText(
      'after',
      `
An editor starts it: the settings of Zed, JetBrains, Neovim, Emacs and VS Code are in docs/editors.md.
Sessions are kept in $XDG_STATE_HOME/parley/sessions.db. permissions, model and mcpServers of the settings hold
here too; --permission-mode, --model, --mcp-config and --mcp-server take their place or add to them.
How the client words ACP is found out; --dialect <name> says so from the start, --dialect none reads ACP alone.`,
    )
    .action(async () => {
      const { serveAgent } = await import('../agent.program.ts');
      throw new Exit(await serveAgent(sharedFlags(command) as AgentFlags, context));
    });
}
