import { resolve } from 'node:path';
import { findDescription } from '@parley/adapters/command';
import { parseAddress } from '@parley/client';
import { type CommandContext, Exit, readCount, usageError } from '@parley/host/command-line';
import type { Command } from 'commander';
import { type CommandPlan, runRaw } from '../../pipeline/raw-run.ts';
import { readCases } from '../../runs/read-cases.ts';
import { addStageFlags, runStage, type StageFlags } from '../pipeline/stage.ts';

interface RunFlags extends StageFlags {
  readonly schema?: string;
  readonly simple?: string;
  readonly shell?: string;
  readonly concurrency?: string;
  readonly inOrder?: boolean;
  /** These two are of all commands. */
  readonly cwd?: string;
  readonly timeout?: string;
}

/** `parley eval run`: a command for each case, and every line that it writes. */
export function configure(command: Command, context: CommandContext): void {
  addStageFlags(command)
    .usage('[options] [cases]')
    .argument('[cases]', 'JSON lines of cases; stdin unless given')
    .option('-s, --schema <description>', 'a command-line agent by its description, as of parley adapt')
    .option('--simple <command>', "any command; {} is the prompt: 'my-tool ask {}'")
    .option('--shell <line>', `a line for the shell, which finds the prompt in $PROMPT`)
    .option('-j, --concurrency <n>', 'commands at a time (1)')
    .option('--in-order', 'results in the order of the cases')
    .addHelpText(
      'after',
      `
All lines are kept as they are, with their times; extract reads them.
--cwd is where the command runs, --timeout the seconds for each case (300).

Examples:
  parley eval run cases.jsonl -s claude | parley eval extract -s claude > x.jsonl
  parley eval run cases.jsonl --simple 'my-tool ask {}' -o raw.jsonl
  parley eval run --shell 'echo "$PROMPT" | my-tool' < cases.jsonl`,
    )
    .action(async (cases: string | undefined) => {
      const flags = command.optsWithGlobals<RunFlags>();
      const plan = await readPlan(flags, context);
      const concurrency = readCount('--concurrency', flags.concurrency, { min: 1, max: 1000 }) ?? 1;
      const source =
        cases === undefined || cases === '-' ? readCases('-', { stdin: context.stdin }) : resolve(context.cwd, cases);
      const timeoutMs = readTimeout(flags.timeout);
      const work = async function* (signal: AbortSignal) {
        const results = runRaw({
          cases: source,
          plan,
          cwd: resolve(context.cwd, flags.cwd ?? '.'),
          env: context.env,
          concurrency,
          isInOrder: flags.inOrder === true,
          signal,
          ...(timeoutMs !== undefined && { timeoutMs }),
        });
        for await (const value of results)
          yield { name: `${value.id}: ${value.error ?? `${value.rawLines.length} lines`}`, value };
      };
      throw new Exit(await runStage({ flags, work }, context));
    });
}

async function readPlan({ schema, simple, shell }: RunFlags, context: CommandContext): Promise<CommandPlan> {
  const given = [schema, simple, shell].filter((each) => each !== undefined);
  if (given.length !== 1)
    throw usageError('One of --schema, --simple and --shell says what is run.', "--simple 'my-tool ask {}'");
  if (schema !== undefined) return { kind: 'schema', ...(await findDescription(schema, context)) };
  if (shell !== undefined) return { kind: 'shell', line: shell };
  const address = parseAddress(simple ?? '');
  if (address.kind !== 'command') throw usageError(`--simple is a command, not the address ${simple}.`);
  return { kind: 'simple', words: [address.command, ...address.args] };
}

function readTimeout(text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  const seconds = Number(text);
  if (text.trim() !== '' && seconds > 0 && seconds <= MAX_TIMEOUT_SECONDS) return seconds * 1000;
  throw usageError(`--timeout is a number of seconds above 0, not "${text}".`);
}

/** The longest time that a timer can wait for. */
const MAX_TIMEOUT_SECONDS = 2_147_483;
