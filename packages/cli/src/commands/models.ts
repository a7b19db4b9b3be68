import type { Command } from 'commander';
import type { CliContext } from '../context.ts';
import { type ListModelsFlags, listModels } from '../models/list-models.ts';
import { setModel } from '../models/set-model.ts';

/** `parley models`: what our own agent can think with. */
export function configure(command: Command, context: CliContext): void {
  command.description(
    'List the models of our own coding agent, and choose one. Other agents have their own; the chat shows them with /model.',
  );
  command
    .command('list', { isDefault: true })
    .description('the models within reach: of keys, of the settings, and of servers on this machine')
    .argument('[part]', 'only those with this in their name')
    .option('--refresh', 'ask every provider for its list; else lists of today are taken')
    .option('--offline', 'ask nobody')
    .option('--json', 'as JSON')
    .action(async (part: string | undefined, flags: ListModelsFlags) => {
      await listModels(part, flags, context);
    });
  command
    .command('set')
    .description('begin new sessions with a model; a part of its name is enough')
    .argument('<name>')
    .option('--offline', 'ask nobody')
    .option('--json', 'as JSON')
    .action(async (name: string, flags: ListModelsFlags) => {
      await setModel(name, flags, context);
    });
}
