import { EXIT_CODES, Exit, usageError } from '@parley/host/command-line';
import { didYouMean } from '@parley/host/json-files';
import { shellLine } from '@parley/host/terminal';
import { type Command, CommanderError } from 'commander';
import type { LoadCommand } from './command.ts';
import { COMMANDS } from './commands/list.ts';
import type { CliContext } from './context.ts';
import { createProgram } from './program.ts';
import { readShortcut, type Shortcut } from './shortcuts.ts';

/** Runs one command line to its end; resolves to the exit code. */
export async function runCommandLine(argv: readonly string[], context: CliContext, load: LoadCommand): Promise<number> {
  const program = createProgram(context, load);
  try {
    const words = await understand(program, argv, context);
    const index = findWord(program, words) ?? words.length;
    const raw = COMMANDS.find(({ name, readsOwnArguments }) => readsOwnArguments && name === words[index]);
    const module = raw && (await load(raw.name));
    if (module?.runRaw) return await module.runRaw(words.toSpliced(index, 1), context);
    await program.parseAsync([...words], { from: 'user' });
    return 0;
  } catch (error) {
    if (error instanceof Exit) return error.exitCode;
    if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : EXIT_CODES.usage.code;
    const { reportError } = await import('./output/report-error.ts');
    return reportError(error, context);
  }
}

/** Turns what a person may write into what the parser expects: `help exec`, `gemini exec "..."`, and nothing at all. */
async function understand(program: Command, argv: readonly string[], context: CliContext): Promise<readonly string[]> {
  const shortcut = readShortcut(program, argv);
  if (shortcut) return expandShortcut(program, shortcut, context);
  const index = findWord(program, argv);
  if (index === undefined) {
    requireValue(program, argv);
    return isAboutProgram(argv) ? argv : [...beforeDashes(argv, ['chat'])];
  }
  const word = argv[index] ?? '';
  if (COMMANDS.some(({ name, aliases = [] }) => name === word || aliases.includes(word))) return argv;
  requireFlags(program, argv.slice(0, index), word);
  const others = argv.toSpliced(index, 1);
  if (word === 'help') return [...others, '--help'];
  const { isAgentWord, requireAgentWord } = await import('./agents/agent-word.ts');
  // Several words are something to say, and the chat begins with it.
  if (/\s/.test(word) && !(await isAgentWord(word, context))) return argv.toSpliced(index, 0, 'chat');
  const names = COMMANDS.map(({ name }) => name);
  await requireAgentWord(word, names, context);
  const next = findWord(program, others);
  if (next === undefined) return ['--agent', word, ...beforeDashes(others, ['chat'])];
  const isVerb = COMMANDS.some(({ name }) => name === others[next]);
  // As acpx has it: an agent's name with a text after it is a prompt in a saved session.
  return isVerb ? ['--agent', word, ...others] : ['--agent', word, 'prompt', ...others];
}

/** An agent may be named before the flag: `parley gemini -p "..."`. */
async function expandShortcut(
  program: Command,
  { command, before, after }: Shortcut,
  context: CliContext,
): Promise<readonly string[]> {
  const index = findWord(program, before);
  const word = index === undefined ? undefined : before[index];
  requireFlags(program, before.slice(0, index ?? before.length), after[0] ?? '...');
  if (index === undefined || word === undefined) return [...before, ...command, ...after];
  const { isAgentWord } = await import('./agents/agent-word.ts');
  if (await isAgentWord(word, context)) return ['--agent', word, ...before.toSpliced(index, 1), ...command, ...after];
  return [...before.slice(0, index), ...command, ...before.slice(index), ...after];
}

/** Where the first word is that is neither a flag nor the value of one; undefined when there is none. */
function findWord(program: Command, argv: readonly string[]): number | undefined {
  for (let index = 0; index < argv.length; index += 1) {
    const word = argv[index] ?? '';
    if (word === '--') return undefined;
    if (!word.startsWith('-') || word === '-') return index;
    if (program.options.some((option) => option.required && (option.long === word || option.short === word)))
      index += 1;
  }
  return undefined;
}

/** A flag at the end whose value was forgotten would take the next word for it, which we add. */
function requireValue(program: Command, argv: readonly string[]): void {
  const dashes = argv.indexOf('--');
  const last = argv[(dashes < 0 ? argv.length : dashes) - 1];
  if (last === undefined) return;
  const option = program.options.find(({ required, long, short }) => required && (long === last || short === last));
  if (!option) return;
  throw usageError(`${option.flags} is given without its value: ${option.description}.`, 'parley exec --help');
}

/** What stands behind a flag that nobody knows may be its value, so the flag is what is told. */
function requireFlags(program: Command, flags: readonly string[], word: string): void {
  const known = program.options.flatMap(({ long, short }) => [long, short].filter((name) => typeof name === 'string'));
  const flag = flags.find((each) => each.startsWith('-') && !known.includes(each.split('=', 1)[0] ?? ''));
  if (flag === undefined || ['-h', '--help', '-V', '--version'].includes(flag)) return;
  // One letter is near to every other one.
  const meant = flag.length > 2 ? didYouMean(flag, known) : '';
  const isSession = flag === '-s' || flag === '--session';
  throw usageError(
    `parley has no flag "${flag}".${meant} The flags of a command stand behind it.`,
    isSession ? `${shellLine`parley prompt -s ${word}`} "..."` : shellLine`parley exec ${word}`,
    'parley --help',
  );
}

function isAboutProgram(argv: readonly string[]): boolean {
  return argv.some((word) => ['-h', '--help', '-V', '--version'].includes(word));
}

function beforeDashes(argv: readonly string[], words: readonly string[]): readonly string[] {
  const dashes = argv.indexOf('--');
  return dashes < 0 ? [...argv, ...words] : argv.toSpliced(dashes, 0, ...words);
}
