import type { Command } from 'commander';
import type { CliContext } from '../context.ts';
import { sharedFlags } from '../flags/shared-flags.ts';
import { addStoreFlags } from '../sessions/records/server-store.ts';
import { cancelSession } from '../sessions/turn/cancel-session.ts';

/** `parley cancel`: stops the turn that another process runs in a saved session. */
export function configure(command: Command, context: CliContext): void {
  addStoreFlags(command, 'in the file or database of `parley serve`: a session of --agent')
    .description('Stop the turn that runs in a saved session, whichever process runs it.')
    .option('-s, --session <name>', 'the session, by name or id; default: the last one in this folder')
    .action(async () => {
      await cancelSession(sharedFlags(command), context);
    });
}
