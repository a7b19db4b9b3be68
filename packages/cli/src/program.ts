import { describeExitCodes, usageError } from '@parley/host/command-line';
import { didYouMean } from '@parley/host/json-files';
import { Command } from 'commander';
import type { CommandEntry, LoadCommand } from './command.ts';
import { COMMANDS } from './commands/list.ts';
import type { CliContext } from './context.ts';
import { addSharedFlags } from './flags/shared-flags.ts';
import { formatHelp } from './help.ts';
import { VERSION } from './version.ts';

const HEADER = `Talk to any ACP agent from the terminal.

  parley                              chat with the default agent in this folder
  parley "fix the failing test"       the same, and this is said first
  parley -p "fix the failing test"    one prompt, one answer (parley exec)
  parley -c                           go on with the last chat in this folder
  parley --resume                     choose which one to go on with
  parley --agent gemini               chat with another agent; any command works
  parley check -- my-agent --acp      does this agent follow the specification?
`;

/** The whole command line. Commands are stubs until they are used: then their file is loaded and describes the rest. */
export function createProgram(context: CliContext, load: LoadCommand): Command {
  const program = new Command('parley')
    .usage('[options] [command]')
    .version(VERSION, '-V, --version', 'print the version')
    .helpOption('-h, --help', 'print this help')
    .helpCommand(false)
    .showSuggestionAfterError(true)
    .configureOutput({
      writeOut: (text) => context.stdout.write(text),
      writeErr: (text) => context.stderr.write(text),
      outputError: (text, write) => write(wordParserError(text)),
    })
    .configureHelp({ formatHelp })
    .exitOverride()
    .showHelpAfterError('try: parley --help');
  addSharedFlags(program);
  for (const entry of COMMANDS) addStub(program, entry);
  program.addHelpText('before', HEADER);
  program.addHelpText(
    'after',
    `\nExit codes:\n${describeExitCodes()}\n\nFlags for agent, permissions and output: parley exec --help`,
  );
  program.hook('preSubcommand', async (_program, command) => {
    const entry = COMMANDS.find(({ name }) => name === command.name());
    if (entry) (await load(entry.name)).configure(command, context);
    for (const each of command.commands) each.showHelpAfterError(`try: parley ${command.name()} ${each.name()} --help`);
    requireSubcommand(command, program.args[1]);
  });
  return program;
}

function addStub(program: Command, { name, aliases = [], summary, group }: CommandEntry): void {
  program
    .command(name)
    .aliases(aliases)
    .summary(summary)
    .description(summary)
    .helpGroup(group)
    .showHelpAfterError(`try: parley ${name} --help`);
}

/** What the parser of the command line says, in the words of the other errors. */
function wordParserError(text: string): string {
  return text
    .replace(/^error: /, 'parley: ')
    .replace(
      /too many arguments for '(.+?)'\. Expected (\d+) arguments? but got \d+\./,
      (_, name: string, count: string) =>
        count === '0' ? `"${name}" takes no words, only flags.` : `too many words for "${name}", which takes ${count}.`,
    );
}

/** `parley sessions` lists them, which must not make an argument of `list` of a mistyped `parley sessions exprot`. */
function requireSubcommand(command: Command, word: string | undefined): void {
  const names = command.commands.flatMap((each) => [each.name(), ...each.aliases()]);
  // The first one is what a bare `parley sessions` does; `parley config model` is a word for it.
  const [first] = command.commands;
  const takesWords = !first || command.registeredArguments.length + first.registeredArguments.length > 0;
  if (word === undefined || word.startsWith('-') || takesWords || names.includes(word)) return;
  const meant = didYouMean(word, names);
  const all = meant === '' ? ` There are ${names.join(', ')}.` : meant;
  throw usageError(`There is no command "${command.name()} ${word}".${all}`, `parley ${command.name()} --help`);
}
