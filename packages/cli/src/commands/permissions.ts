import { collect } from '@parley/host/command-line';
import type { Command } from 'commander';
import type { CliContext } from '../context.ts';
import { sharedFlags } from '../flags/shared-flags.ts';
import { explainPermission } from '../permissions/explain-permission.ts';
import { listPermissions } from '../permissions/list-permissions.ts';
import { revokePermissions } from '../permissions/revoke-permissions.ts';

/** `parley permissions`: what was answered with "always", and what the rules say to a request. */
export function configure(command: Command, context: CliContext): void {
  command.description('What is allowed, what was answered with "always", and why.');
  command
    .command('list', { isDefault: true })
    .description('the rules that hold here, and every answer "always"')
    .option('--json', 'as JSON')
    .action(async (flags: { readonly json?: boolean }) => {
      await listPermissions(flags, context);
    });
  command
    .command('revoke')
    .description('forget an answer "always"')
    .argument('[ids...]', 'as `parley permissions list` shows them; a beginning is enough')
    .option('--all', 'forget all of them')
    .action(async (ids: readonly string[], flags: { readonly all?: boolean }) => {
      await revokePermissions({ ids, ...flags }, context);
    });
  const explain = command
    .command('explain')
    .description('what would happen to a request, which rule decides, and which part of it')
    .option('--rule <rule>', "a rule such as 'Bash(git *)' or 'deny Read(.env)' (repeat)", collect)
    .option('--command <line>', 'a shell command')
    .option('--tool <name>', 'the name of a tool')
    .option('--kind <kind>', 'the ACP kind of a tool: read, edit, execute, fetch...')
    .option('--path <path>', 'a file that a tool works on (repeat)', collect)
    .option('--url <url>', 'an address that a tool fetches')
    .option('--only-rules', 'leave out the rules of the settings and the answers "always"')
    .option('--json', 'as JSON')
    .addHelpText(
      'after',
      `
Examples:
  parley permissions explain --rule 'Bash(git *)' --command 'git log; rm -rf /'
  parley permissions explain --kind edit --path src/main.ts --json`,
    )
    .action(async () => {
      await explainPermission(sharedFlags(explain), context);
    });
}
