import type { Command } from 'commander';
import type { CliContext } from '../context.ts';
import { logOut } from '../login/log-out.ts';

/** `parley logout`: takes a stored key away. */
export function configure(command: Command, context: CliContext): void {
  command
    .description('Take away a key that parley login has stored.')
    .argument('[provider]', 'whose; not needed where there is only one')
    .option('--all', 'all of them')
    .action((provider: string | undefined, { all = false }: { all?: boolean }) => logOut(provider, all, context));
}
