import type { Command } from 'commander';
import type { CliContext } from '../context.ts';
import { sharedFlags } from '../run/shared-flags.ts';
import { Exit } from './command.ts';

/** `parley agent`: our coding agent on this process's stdin and stdout. */
export function configure(command: Command, context: CliContext): void {
  command
    .description('Our coding agent on stdin and stdout, for editors and other clients.')
    .option('--no-store', 'keep sessions in memory only')
    .addHelpText(
      'after',
      `
An editor starts it: see the README for the settings of Zed, JetBrains, Neovim and Emacs.
Sessions are kept in $XDG_STATE_HOME/parley/sessions.db, permissions and settings as for parley itself.`,
    )
    .action(async (flags: { readonly store: boolean }) => {
      const { serveAgent } = await import('../agent/serve-agent.ts');
      const deniesAll = sharedFlags(command).denyAll === true;
      throw new Exit(await serveAgent({ isStored: flags.store, deniesAll }, context));
    });
}
