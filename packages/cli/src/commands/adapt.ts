import { join } from 'node:path';
import type { AdaptFlags, OpenAdapterStore } from '@parley/adapters/command';
import { Exit, usageError } from '@parley/host/command-line';
import type { Command } from 'commander';
import type { CliContext } from '../context.ts';
import { sharedFlags } from '../flags/shared-flags.ts';
import { findPlaces } from '../places.ts';

/** `parley adapt`: a command-line agent that speaks ACP by a description of it. */
export function configure(command: Command, context: CliContext): void {
  command
    .description('A command-line agent as an ACP agent on stdin and stdout, by a description of its flags and output.')
    .usage('[options] <description> | test | record | list | schema')
    .argument('[description]', 'a description file, or a ready one by name: parley adapt list')
    .option('--debug', 'every line of the command, and what became of it, on stderr')
    .option('--no-store', 'keep sessions in memory only')
    .option('--login', 'run the login of the command in this terminal')
    .addHelpText(
      'after',
      `
Use it wherever an agent is wanted:
  parley --agent my-agent.json                    a description is an agent
  parley exec --agent claude-cli "what is this?"  so is a ready one
  parley check -- parley adapt my-agent.json      does it follow the protocol?

Write one of your own from a run of the command, and look at what it makes of
the lines; parley new adapter makes one to learn from:
  parley adapt record -o my-agent.json -- my-agent -p "say hello" --json
  parley adapt test my-agent.json my-agent.sample.jsonl

--verbose shows on stderr what is started and how it ends. docs/adapters.md is
the guide.`,
    )
    .action(async (word: string | undefined) => {
      if (word === undefined) throw usageError('Which description?', 'parley adapt list', 'parley adapt --help');
      const { serveAdapter } = await import('@parley/adapters/command');
      const flags: AdaptFlags = sharedFlags(command);
      throw new Exit(await serveAdapter(word, flags, context, openStore(flags, context)));
    });
  configureTest(command, context);
  configureRecord(command, context);
  command
    .command('list')
    .description('descriptions that come with Parley, and whether their command is installed')
    .option('--json', 'as JSON')
    .action(async (flags: { readonly json?: boolean }) => {
      const { listDescriptions } = await import('@parley/adapters/command');
      await listDescriptions(flags, context);
    });
  command
    .command('schema')
    .description('the JSON schema of descriptions, for editors')
    .action(async () => {
      const { descriptionSchema } = await import('@parley/adapters');
      context.stdout.write(`${JSON.stringify(descriptionSchema(), null, 2)}\n`);
    });
}

function configureTest(command: Command, context: CliContext): void {
  command
    .command('test')
    .description('replay recorded lines: which part of the description saw which line, and what came of it')
    .argument('<description>', 'a description file, or a ready one by name')
    .argument('[samples...]', 'files with lines of the command; default: its .sample.jsonl, - for stdin')
    .option('--json', 'as JSON, a line for each line')
    .option('--strict', 'exit 1 when a line was seen by nothing')
    .action(
      async (
        word: string,
        samples: readonly string[],
        flags: { readonly json?: boolean; readonly strict?: boolean },
      ) => {
        const { testDescription } = await import('@parley/adapters/command');
        throw new Exit(await testDescription({ word, samples, ...flags }, context));
      },
    );
}

function configureRecord(command: Command, context: CliContext): void {
  command
    .command('record')
    .description('run a command, keep what it writes, and propose a description')
    .usage('[options] -- <command> [args...]')
    .argument('<command...>', 'the command line, as you would run it without questions')
    .option('-o, --output <file>', 'write the description there, and the lines beside it; default: to stdout')
    .option('--prompt <text>', 'which of the words is the prompt, where that is not plain')
    .option('--force', 'write over files that exist')
    .action(
      async (
        words: readonly string[],
        flags: { readonly output?: string; readonly prompt?: string; readonly force?: boolean },
      ) => {
        const { recordDescription } = await import('@parley/adapters/command');
        throw new Exit(await recordDescription({ words, ...flags }, context));
      },
    );
}

/** Each description has a file of its own: what it lists are its own sessions. */
function openStore({ store }: AdaptFlags, { env }: CliContext): OpenAdapterStore {
  return async (name) => {
    if (store === false) return (await import('@parley/store/memory')).memoryStore();
    const { sqliteStore } = await import('@parley/store/sqlite');
    const file = `${encodeURIComponent(name).replaceAll('.', '%2E')}.db`;
    return sqliteStore({ path: join(findPlaces(env).state, 'adapters', file) });
  };
}
