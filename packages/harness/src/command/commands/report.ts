import { join, resolve } from 'node:path';
import { type CommandContext, Exit, exitCode, usageError } from '@parley/host/command-line';
import type { Command } from 'commander';
import { labelRuns } from '../../compare/runs/label-runs.ts';
import { createReport } from '../../report/create-report.ts';
import { readStatistics, type StatisticsFlags } from '../view/statistics-flags.ts';
import { tellVerdict, type VerdictFlags } from '../view/tell-verdict.ts';
import { writeText } from '../view/text-output.ts';
import { withExplanation } from '../view/with-explanation.ts';

interface ReportFlags extends StatisticsFlags, VerdictFlags {
  readonly title?: string;
  readonly output?: string;
  readonly split?: boolean;
}

/** Larger pages are slow to open. */
const MAX_COMFORTABLE_BYTES = 10 * 1024 * 1024;

/** `parley eval report`: results as a page. */
export function configure(command: Command, context: CommandContext): void {
  command
    .description('Results as a page to look at: plots, failures by cause, and every attempt.')
    .usage('[options] <results...>')
    .argument('<results...>', 'files of results, the baseline first; - is stdin, label=file gives a name')
    .option('-o, --output <file>', 'the page, or with --split its folder; stdout unless given')
    .option('--split', 'a page for each case, in a folder')
    .option('--title <text>', 'what it is about')
    .option('--baseline <label>', 'the run that others are held against (the first)')
    .option('--level <share>', 'of the intervals (0.95)')
    .option('--seed <n>', 'of whatever is drawn (1)')
    .option('--fail-under <share>', 'exit with 1 when a run passes fewer: 0.8')
    .option('--fail-on-regression [kind]', 'exit with 1 when a run is worse: significant or any')
    .addHelpText('after', HELP)
    .action(async (words: readonly string[]) => {
      throw new Exit(await withExplanation(() => writeReport(words, command.optsWithGlobals<ReportFlags>(), context)));
    });
}

async function writeReport(words: readonly string[], flags: ReportFlags, context: CommandContext): Promise<number> {
  const { output, title } = flags;
  if (flags.split && (output === undefined || output === '-')) {
    throw usageError('--split needs a folder.', 'parley eval report results.jsonl --split -o report');
  }
  const files = labelRuns(words);
  const sources = files.map(({ label, path }) => ({ label, source: path === '-' ? '-' : resolve(context.cwd, path) }));
  const inputs = sources.map(({ source }) => source);
  const report = await createReport(sources, {
    ...readStatistics(flags),
    title: title ?? `Evaluation of ${files.map(({ label }) => label).join(', ')}`,
    stdin: context.stdin,
  });
  if (flags.split && output !== undefined) {
    for (const { path, html } of report.toPages()) {
      await writeText([html], { output: join(output, path), inputs }, context);
    }
    context.stderr.write(`${join(output, 'index.html')}: ${report.model.tasks.length} cases\n`);
  } else {
    const html = report.toHtml();
    await writeText([html], { output, inputs }, context);
    const bytes = Buffer.byteLength(html);
    if (bytes > MAX_COMFORTABLE_BYTES) {
      const size = (bytes / 1024 / 1024).toFixed(0);
      context.stderr.write(
        `The page has ${size} MB and is slow to open; --split -o <folder> makes a page for each case.\n`,
      );
    }
  }
  const runs = report.model.runs.map(({ rows }) => rows);
  return exitCode(tellVerdict(runs, report.model.comparison, flags, context) ? 'ok' : 'failed');
}

const HELP = `
One file that loads nothing from anywhere: findings, plots, cases against runs,
failures by cause, and every attempt with what the agent did and changed.

Examples:
  parley eval report results.jsonl -o report.html
  parley eval report main=old.jsonl next=new.jsonl --title Mine -o report.html
  parley eval report trials.jsonl --split -o report`;
