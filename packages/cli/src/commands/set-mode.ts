import type { Command } from 'commander';
import type { CliContext } from '../context.ts';
import { sharedFlags } from '../flags/shared-flags.ts';
import { refuseStore } from '../sessions/records/server-store.ts';
import { changeSetting } from '../sessions/turn/change-setting.ts';

/** `parley set-mode <id>`: the same as `parley set mode <id>`, as acpx calls it. */
export function configure(command: Command, context: CliContext): void {
  refuseStore(command, ['parley set-mode --agent <address of the server> <mode>'])
    .argument('<mode>')
    .option('-s, --session <name>', 'the session, by name or id; default: the last one in this folder')
    .action(async (value: string) => {
      await changeSetting({ key: 'mode', value, flags: sharedFlags(command) }, context);
    });
}
