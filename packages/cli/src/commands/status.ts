import type { Command } from 'commander';
import type { CliContext } from '../context.ts';
import { sharedFlags } from '../flags/shared-flags.ts';
import { addStoreFlags } from '../sessions/records/server-store.ts';
import { showStatus } from '../sessions/view/show-status.ts';

/** `parley status`: what a saved session is doing. */
export function configure(command: Command, context: CliContext): void {
  addStoreFlags(command)
    .description('What a saved session is doing: running, idle or dead.')
    .option('-s, --session <name>', 'the session, by name or id; default: the last one in this folder')
    .option('--json', 'as JSON')
    .action(async (flags: { readonly json?: boolean }) => {
      await showStatus({ ...sharedFlags(command), ...flags }, context);
    });
}
