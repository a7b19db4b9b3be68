import { join } from 'node:path';
import { type CommandContext, usageError } from '@parley/host/command-line';
import { formatTable } from '@parley/terminal';
import type { Command } from 'commander';
import { combineSchemas, findSchema, listSchemas } from '../../views/schemas.ts';
import { writeText } from '../view/text-output.ts';
import { withExplanation } from '../view/with-explanation.ts';

interface SchemasFlags {
  readonly list?: boolean;
  readonly json?: boolean;
  readonly split?: boolean;
  readonly output?: string;
}

/** `parley eval schemas`: the formats of all files as JSON schemas. */
export function configure(command: Command, context: CommandContext): void {
  command
    .description('The formats of all files, as JSON schemas of draft 2020-12.')
    .usage('[options] [name]')
    .argument('[name]', 'one format; all in one schema unless given')
    .option('-l, --list', 'names, and what they are for')
    .option('--json', 'with --list: as JSON')
    .option('--split', 'with -o: a file for each in that folder')
    .option('-o, --output <file>', 'write there; stdout unless given')
    .addHelpText('after', HELP)
    .action((name: string | undefined, flags: SchemasFlags) =>
      withExplanation(async () => {
        if (flags.list) return void context.stdout.write(list(flags));
        const to = (output: string | undefined): { output: string | undefined; inputs: readonly string[] } => ({
          output,
          inputs: [],
        });
        if (!flags.split) {
          const schema = name === undefined ? combineSchemas() : findSchema(name).schema;
          return writeText([`${JSON.stringify(schema, null, 2)}\n`], to(flags.output), context);
        }
        const folder = flags.output;
        if (folder === undefined) throw usageError('--split needs a folder.', 'parley eval schemas --split -o schemas');
        const chosen = name === undefined ? listSchemas() : [findSchema(name)];
        for (const each of chosen) {
          const text = `${JSON.stringify(each.schema, null, 2)}\n`;
          await writeText([text], to(join(folder, `${each.name}.json`)), context);
        }
        context.stderr.write(`${chosen.length} schemas in ${folder}\n`);
      }),
    );
}

function list({ json }: SchemasFlags): string {
  const all = listSchemas().map(({ name, says }) => ({ name, says }));
  return json ? `${JSON.stringify(all, null, 2)}\n` : formatTable(all.map(({ name, says }) => [name, says]));
}

const HELP = `
Examples:
  parley eval schemas --list
  parley eval schemas CaptureResult
  parley eval schemas --split -o schemas`;
