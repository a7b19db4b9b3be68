import type { Command } from 'commander';
import {
  editConfig,
  getConfig,
  initConfig,
  printPath,
  setConfig,
  showConfig,
  trustProject,
  unsetConfig,
} from '../config/config-actions.ts';
import { configSchema } from '../config/config-schema.ts';
import type { CliContext } from '../context.ts';
import { sharedFlags } from '../flags/shared-flags.ts';

interface PlaceFlags {
  readonly project?: boolean;
  readonly json?: boolean;
}

/** `parley config`: the settings of the person and of the project. */
export function configure(command: Command, context: CliContext): void {
  command.description(
    "Get, set and edit settings. The person's own are in $XDG_CONFIG_HOME/parley/config.json, a project's in .parleyrc.json.",
  );
  command
    .command('get', { isDefault: true })
    .description('one setting such as permissions.allow, or all that hold here')
    .argument('[key]')
    .option('--json', 'as JSON')
    .action(async (key: string | undefined, flags: PlaceFlags) => getConfig(key, flags, context));
  const show = command
    .command('show')
    .description('all settings that hold here, and the files they come from')
    .option('--json', 'on one line')
    .action(async () => showConfig(sharedFlags(show), context));
  const init = command
    .command('init')
    .description('write a settings file to begin from, unless there is one')
    .option('--project', 'for this folder')
    .option('--json', 'as JSON')
    .action(async () => initConfig(sharedFlags(init), context));
  const set = command
    .command('set')
    .description('change a setting; the value is JSON or a plain text')
    .argument('<key>')
    .argument('<value>')
    .option('--project', "in the project's file")
    .option('--json', 'tell it as JSON')
    .action(async (key: string, value: string) => setConfig(key, value, sharedFlags(set), context));
  const unset = command
    .command('unset')
    .description('remove a setting')
    .argument('<key>')
    .option('--project', "from the project's file")
    .action(async (key: string) => unsetConfig(key, sharedFlags(unset), context));
  command
    .command('path')
    .description('where the settings are')
    .option('--project', "the project's file")
    .action(async (flags: PlaceFlags) => printPath(flags, context));
  command
    .command('edit')
    .description('open the settings in $EDITOR')
    .option('--project', "the project's file")
    .action(async (flags: PlaceFlags) => editConfig(flags, context));
  command
    .command('schema')
    .description('the settings as a JSON schema')
    .action(async () => {
      context.stdout.write(`${JSON.stringify(configSchema(), null, 2)}\n`);
    });
  command
    .command('trust')
    .description(
      "let the project's .parleyrc.json and .mcp.json, as they are now, choose agents, permissions and MCP servers",
    )
    .action(async () => trustProject(context));
}
