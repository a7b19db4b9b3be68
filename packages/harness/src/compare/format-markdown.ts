import type { Comparison } from './compare-runs.ts';
import type { MetricComparison } from './paired-comparisons.ts';
import type { Regressions } from './regressions.ts';
import { duration, METRIC_WORDS, metricInterval, metricValue, percent, pValue, verdict } from './wording.ts';

/** How many tasks a list names before it only counts. */
const MAX_LISTED_TASKS = 20;

/** A comparison as Markdown, for a pull request or a log. */
export function formatComparison(comparison: Comparison): string {
  const { meta, comparisons, regressions } = comparison;
  const skipped = meta.promptsSkipped === 0 ? '' : `; ${meta.promptsSkipped} only in one run, not compared`;
  return [
    `# Comparison of ${list(meta.runs)}`,
    '',
    `${meta.promptCount} tasks, ${meta.promptsWithAllRuns} in all runs${skipped}. Strategy: ${meta.strategy}; intervals at ${percent(meta.level)}, seed ${meta.seed}.`,
    '',
    ...comparisons.filter(({ metric }) => metric !== 'cost').map((one) => `- ${verdict(one)}`),
    ...(comparison.meta.inputFormat === 'trials'
      ? trialsTable(comparison as TrialsComparison)
      : capturesTable(comparison as CapturesComparison)),
    ...section('Head to head', pairwiseTable(comparison)),
    ...section('Differences by task', metricTable(comparisons)),
    ...regressions.flatMap(formatRegressions),
    ...flakyTasks(comparison),
    '',
  ].join('\n');
}

type TrialsComparison = Extract<Comparison, { capability: unknown }>;
type CapturesComparison = Extract<Comparison, { trajectoryInfo: unknown }>;

function capturesTable({ meta, quality, performance, reliability, trajectoryInfo }: CapturesComparison): string[] {
  const rows = meta.runs.map((run) => {
    const { passRate = 0, passCount = 0, failCount = 0, avgScore = 0 } = quality[run] ?? {};
    const interval = (quality[run] as { passRateInterval?: { low: number; high: number } }).passRateInterval;
    const { p50 = 0, p90 = 0 } = performance[run]?.latency ?? {};
    const { toolErrorRate = 0, timeouts = 0, completionRate = 0 } = reliability[run] ?? {};
    return [
      run,
      passCount + failCount === 0 ? 'not graded' : `${percent(passRate)} (${passCount}/${passCount + failCount})`,
      interval ? `${percent(interval.low)} to ${percent(interval.high)}` : '-',
      avgScore.toFixed(3),
      duration(p50),
      duration(p90),
      percent(toolErrorRate),
      String(timeouts),
      percent(completionRate),
      (trajectoryInfo[run]?.avgStepCount ?? 0).toFixed(1),
    ];
  });
  const header = ['run', 'passed', 'interval', 'score', 'p50', 'p90', 'tool errors', 'timeouts', 'completed', 'steps'];
  return section('Runs', table(header, rows));
}

function trialsTable({ meta, capability, reliability, flakiness, quality, performance }: TrialsComparison): string[] {
  const k = meta.trialsPerPrompt;
  const rows = meta.runs.map((run) => [
    run,
    percent(capability[run]?.avgPassAtK ?? 0),
    percent(reliability[run]?.avgPassExpK ?? 0),
    percent(flakiness[run]?.avgFlakiness ?? 0),
    String(flakiness[run]?.flakyPromptCount ?? 0),
    quality === undefined ? '-' : (quality[run]?.avgScore ?? 0).toFixed(3),
    duration(performance?.[run]?.latency.p50 ?? 0),
    duration(performance?.[run]?.latency.p90 ?? 0),
  ]);
  const header = ['run', `pass@${k}`, `pass^${k}`, 'flakiness', 'flaky tasks', 'score', 'p50', 'p90'];
  return section('Runs', table(header, rows));
}

function pairwiseTable(comparison: Comparison): string[] {
  const { headToHead } = comparison;
  const lists =
    'pairwise' in headToHead
      ? [{ by: '', pairs: headToHead.pairwise }]
      : [
          { by: 'pass@k', pairs: headToHead.capability },
          { by: 'pass^k', pairs: headToHead.reliability },
          { by: 'overall', pairs: headToHead.overall },
        ];
  const rows = lists.flatMap(({ by, pairs }) =>
    pairs.map(({ runA, runB, aWins, bWins, ties }) => [
      `${runA} against ${runB}`,
      by || comparison.meta.strategy,
      `${aWins}`,
      `${bWins}`,
      `${ties}`,
    ]),
  );
  return table(['runs', 'by', 'first wins', 'second wins', 'ties'], rows);
}

function metricTable(comparisons: readonly MetricComparison[]): string[] {
  return table(
    ['metric', 'runs', 'means', 'difference', 'interval', 'p', 'corrected', 'better'],
    comparisons.map(({ metric, runA, runB, meanA, meanB, difference, interval, p, pAdjusted, better }) => [
      METRIC_WORDS[metric],
      `${runA} - ${runB}`,
      `${metricValue(metric, meanA)}, ${metricValue(metric, meanB)}`,
      metricValue(metric, difference, true),
      metricInterval(metric, interval, true),
      pValue(p),
      pValue(pAdjusted),
      better ?? 'cannot be told',
    ]),
  );
}

function formatRegressions({ baseline, run, broken, repaired }: Regressions): string[] {
  if (broken.length === 0 && repaired.length === 0) return [];
  const lines = (tasks: Regressions['broken']): string[] => [
    ...tasks
      .slice(0, MAX_LISTED_TASKS)
      .map(({ id, before, after }) => `- ${code(id)}: ${percent(before)}, now ${percent(after)}`),
    ...(tasks.length > MAX_LISTED_TASKS ? [`- and ${tasks.length - MAX_LISTED_TASKS} more`] : []),
  ];
  return [
    ...(broken.length === 0
      ? []
      : ['', `## ${run} fails where ${baseline} passed: ${broken.length}`, '', ...lines(broken)]),
    ...(repaired.length === 0
      ? []
      : ['', `## ${run} passes where ${baseline} failed: ${repaired.length}`, '', ...lines(repaired)]),
  ];
}

function flakyTasks(comparison: Comparison): string[] {
  if (!('flakiness' in comparison)) return [];
  const rows = comparison.meta.runs.flatMap((run) =>
    (comparison.flakiness[run]?.topFlakyPrompts ?? []).map(({ id, flakiness }) => [run, code(id), percent(flakiness)]),
  );
  return rows.length === 0 ? [] : section('Flaky tasks', table(['run', 'task', 'flakiness'], rows));
}

function section(title: string, lines: readonly string[]): string[] {
  return lines.length <= 2 ? [] : ['', `## ${title}`, '', ...lines];
}

export function table(header: readonly string[], rows: readonly (readonly string[])[]): string[] {
  return [header, header.map(() => '---'), ...rows].map((cells) => `| ${cells.map(cell).join(' | ')} |`);
}

function cell(text: string): string {
  return text.replaceAll('|', '\\|').replaceAll(/\s+/g, ' ');
}

function code(text: string): string {
  return `\`${text.replaceAll('`', "'")}\``;
}

function list(words: readonly string[]): string {
  return words.length < 2 ? words.join('') : `${words.slice(0, -1).join(', ')} and ${words.at(-1)}`;
}
