import { didYouMean } from '@parley/host/json-files';
import { Command, Help } from 'commander';
import type { CommandEntry, LoadCommand } from './commands/command.ts';
import { COMMANDS } from './commands/list.ts';
import type { CliContext } from './context.ts';
import { usageError } from './errors.ts';
import { describeExitCodes } from './exit-codes.ts';
import { addSharedFlags } from './run/settings/shared-flags.ts';
import { VERSION } from './version.ts';

const HEADER = `Talk to any ACP agent from the terminal.

  parley                              chat with the default agent in this folder
  parley exec "fix the failing test"  one prompt, one answer
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
      outputError: (text, write) => write(text.replace(/^error: /, 'parley: ')),
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

/** The flags that all commands share would hide the commands; the commands that talk to an agent show them. */
function formatHelp(command: Command, helper: Help): string {
  if (!command.parent) {
    helper.visibleOptions = (shown) =>
      Help.prototype.visibleOptions
        .call(helper, shown)
        .filter(({ helpGroupHeading }) => helpGroupHeading === undefined);
  }
  return Help.prototype.formatHelp.call(helper, command, helper);
}
