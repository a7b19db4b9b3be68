import type { Command } from 'commander';
import type { CliContext } from '../context.ts';
import { sharedFlags } from '../flags/shared-flags.ts';
import { refuseStore } from '../sessions/records/server-store.ts';
import { changeSetting } from '../sessions/turn/change-setting.ts';

/** `parley set`: changes a setting of a saved session. */
export function configure(command: Command, context: CliContext): void {
  refuseStore(command, ['parley set --agent <address of the server> <key> <value>'])
    .description("Change a setting of a saved session: one of the agent's options by id, or `mode` or `model`.")
    .argument('<key>', 'mode, model, or the id of an option')
    .argument('<value>')
    .option('-s, --session <name>', 'the session, by name or id; default: the last one in this folder')
    .action(async (key: string, value: string) => {
      await changeSetting({ key, value, flags: sharedFlags(command) }, context);
    });
}
