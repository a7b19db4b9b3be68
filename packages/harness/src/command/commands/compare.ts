import { resolve } from 'node:path';
import { type CommandContext, collect, Exit, exitCode, requireChoice, usageError } from '@parley/host/command-line';
import { shortLine } from '@parley/terminal';
import type { Command } from 'commander';
import { type Comparison, compareRuns } from '../../compare/compare-runs.ts';
import { rankTasks } from '../../compare/custom-rankings.ts';
import { formatComparison } from '../../compare/format-markdown.ts';
import { type CompareOptions, optionsFromEnv, STRATEGIES } from '../../compare/options.ts';
import type { RunRows } from '../../compare/runs/attempt-row.ts';
import { labelRuns } from '../../compare/runs/label-runs.ts';
import { type RunSource, readRun } from '../../compare/runs/read-run.ts';
import { loadComparisonGrader } from '../../graders/load-grader.ts';
import { readStatistics, type StatisticsFlags } from '../view/statistics-flags.ts';
import { tellVerdict, type VerdictFlags } from '../view/tell-verdict.ts';
import { writeText } from '../view/text-output.ts';
import { withExplanation } from '../view/with-explanation.ts';

interface CompareFlags extends StatisticsFlags, VerdictFlags {
  readonly run?: readonly string[];
  readonly strategy?: string;
  readonly grader?: string;
  readonly graderTimeout?: string;
  readonly tie?: string;
  readonly format?: string;
  readonly output?: string;
}

/** `parley eval compare`: which run is better, and is it luck? */
export function configure(command: Command, context: CommandContext): void {
  command
    .description('Compare runs task by task: which is better, and is it luck?')
    .usage('[options] <results> <results...>')
    .argument('[results...]', 'files of results, the baseline first; label=file gives a name')
    .option('--run <label:file>', 'a further file of results with its name (repeat)', collect)
    .option('-s, --strategy <strategy>', 'weighted, statistical or custom (weighted)')
    .option('-g, --grader <file>', 'with custom: ranks the runs of each case')
    .option('--grader-timeout <seconds>', 'longest time for one ranking (60)')
    .option('--baseline <label>', 'the run that others are held against (the first)')
    .option('--tie <difference>', 'runs of a case that differ by no more have tied (0.01)')
    .option('--level <share>', 'of the intervals (0.95)')
    .option('--seed <n>', 'of whatever is drawn (1)')
    .option('--format <format>', 'json, markdown or html (json; on a terminal markdown)')
    .option('-o, --output <file>', 'write there; stdout unless given')
    .option('--fail-under <share>', 'exit with 1 when a run passes fewer: 0.8')
    .option('--fail-on-regression [kind]', 'exit with 1 when a run is worse: significant or any')
    .addHelpText('after', HELP)
    .action(async (words: readonly string[]) => {
      const flags = command.optsWithGlobals<CompareFlags>();
      throw new Exit(await withExplanation(() => compareFiles(words, flags, context)));
    });
}

async function compareFiles(words: readonly string[], flags: CompareFlags, context: CommandContext): Promise<number> {
  const usual = context.stdout.isTTY && flags.output === undefined ? 'markdown' : 'json';
  const format = requireChoice('--format', flags.format ?? usual, ['json', 'markdown', 'html'] as const);
  const strategy = requireChoice('--strategy', flags.strategy ?? 'weighted', STRATEGIES);
  if ((strategy === 'custom') !== (flags.grader !== undefined)) {
    throw usageError('--strategy custom and --grader belong together.', '--strategy custom --grader rank.py');
  }
  const files = labelRuns([...words, ...(flags.run ?? []).map(readRunFlag)]);
  if (files.length < 2)
    throw usageError('A comparison needs two files or more.', 'parley eval compare a.jsonl b.jsonl');
  const sources: RunSource[] = files.map(({ label, path }) => ({
    label,
    source: path === '-' ? '-' : resolve(context.cwd, path),
  }));
  const statistics = readStatistics(flags);
  const options: CompareOptions = { ...optionsFromEnv(context.env), ...statistics, strategy };
  const custom = strategy === 'custom' ? await rank(sources, flags, context) : undefined;
  const runs: RunRows[] = [];
  for (const source of sources) runs.push(await readRun(source, { stdin: context.stdin }));
  const comparison = compareRuns(runs, { ...options, ...(custom && { rankings: custom }) });
  const text = await formatAs(format, comparison, async () => {
    const { formatRows } = await import('../../report/index.ts');
    return formatRows(runs, { ...statistics, title: `Comparison of ${files.map(({ label }) => label).join(', ')}` });
  });
  await writeText([text], { output: flags.output, inputs: sources.map(({ source }) => String(source)) }, context);
  return exitCode(tellVerdict(runs, comparison, flags, context) ? 'ok' : 'failed');
}

/** `label:file`, as other harnesses write it. */
function readRunFlag(word: string): string {
  const at = word.indexOf(':');
  if (at < 1 || at === word.length - 1) {
    throw usageError(`--run ${word} has no label and file.`, '--run baseline:results/a.jsonl');
  }
  return `${word.slice(0, at)}=${word.slice(at + 1)}`;
}

async function formatAs(
  format: 'json' | 'markdown' | 'html',
  comparison: Comparison,
  toHtml: () => Promise<string>,
): Promise<string> {
  if (format === 'html') return toHtml();
  return format === 'markdown' ? formatComparison(comparison) : `${JSON.stringify(comparison, null, 2)}\n`;
}

async function rank(
  sources: readonly RunSource[],
  { grader: path = '', graderTimeout }: CompareFlags,
  context: CommandContext,
): Promise<NonNullable<CompareOptions['rankings']>> {
  if (sources.some(({ source }) => source === '-')) {
    throw usageError('--strategy custom reads its files twice; stdin cannot be one of them.');
  }
  const seconds = Number(graderTimeout ?? 60);
  if (!(seconds > 0)) throw usageError(`--grader-timeout is a number above 0, not "${graderTimeout}".`);
  await using grader = await loadComparisonGrader(path, { cwd: context.cwd, timeoutMs: seconds * 1000 });
  const { rankings, failures } = await rankTasks(sources, (params) => grader.compare(params));
  for (const { id, message } of failures.slice(0, MAX_TOLD_FAILURES)) {
    context.stderr.write(`${shortLine(id, 60)} was not ranked: ${shortLine(message)}\n`);
  }
  if (failures.length > 0) context.stderr.write(`${failures.length} cases were not ranked\n`);
  if (rankings.size === 0 && failures.length > 0) throw usageError(`The grader ${path} ranked no case at all.`);
  return rankings;
}

const MAX_TOLD_FAILURES = 20;

const HELP = `
Captures are compared with captures, and trials with trials. Every two runs get
the difference of their means with an interval, and a permutation test over the
cases that both have, corrected for the number of runs.

Weights: COMPARE_QUALITY, COMPARE_LATENCY and COMPARE_RELIABILITY (captures),
COMPARE_CAPABILITY, COMPARE_RELIABILITY and COMPARE_CONSISTENCY (trials);
COMPARE_BOOTSTRAP_ITERATIONS for the intervals.

Examples:
  parley eval compare old.jsonl new.jsonl --format markdown
  parley eval compare base=a.jsonl next=b.jsonl --format html -o compared.html
  parley eval compare main.jsonl pr.jsonl --fail-on-regression

Exit codes:
  0    compared
  1    --fail-under or --fail-on-regression says so
  2    the command line, a file or the grader is wrong`;
