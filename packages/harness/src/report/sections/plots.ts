import { countedAttempts } from '../../compare/metrics.ts';
import { taskScore } from '../../compare/runs/task-values.ts';
import {
  count,
  duration,
  intervalWords,
  METRIC_WORDS,
  metricInterval,
  metricValue,
  money,
  percent,
  pValue,
} from '../../compare/wording.ts';
import { ecdf, type Spread } from '../../statistics/quantiles.ts';
import type { ReportModel, RunSummary } from '../model.ts';
import { type Markup, markup } from '../page/markup.ts';
import { boxesPlot } from '../plots/boxes-plot.ts';
import { bubblesPlot } from '../plots/bubbles-plot.ts';
import { curvesPlot } from '../plots/curves-plot.ts';
import { type IntervalRow, intervalsPlot } from '../plots/intervals-plot.ts';
import { tasksPlot } from '../plots/tasks-plot.ts';

/** More tasks than this are drawn as curves instead of one by one. */
const MAX_TASK_ROWS = 30;
/** How many runs are drawn against the baseline. */
const MAX_AGAINST = 4;

/** All plots that the results have numbers for. */
export function plotsSection(model: ReportModel): Markup {
  const plots = [
    passRates(model),
    differences(model),
    times(model),
    spreadPlot(model, {
      id: 'costs',
      title: 'Cost of an attempt',
      spread: ({ costs }) => costs,
      format: (value) => money(value, model.runs[0]?.currency),
    }),
    spreadPlot(model, { id: 'tokens', title: 'Tokens of an attempt', spread: ({ tokens }) => tokens, format: count }),
    scoresByTask(model),
    ...runAgainstRun(model),
  ].filter((plot) => plot !== undefined);
  return markup`<section id="plots"><h2>Plots</h2><div class="plots">${plots}</div></section>`;
}

function passRates({ runs }: ReportModel): Markup | undefined {
  const rows = runs.flatMap(({ label, passRate, interval }, run): readonly IntervalRow[] =>
    passRate === undefined || interval === undefined
      ? []
      : [{ label, value: passRate, low: interval.low, high: interval.high, run, text: percent(passRate) }],
  );
  if (rows.length === 0) return undefined;
  const methods = [...new Set(runs.flatMap(({ interval }) => (interval ? [intervalWords(interval)] : [])))];
  return intervalsPlot({
    id: 'pass-rates',
    title: 'Pass rate',
    says: rows
      .map(({ label, text, low, high }) => `${label}: ${text}, between ${percent(low)} and ${percent(high)}`)
      .join('. '),
    rows,
    domain: [0, 1],
    format: percent,
    table: {
      header: ['run', 'pass rate', 'low', 'high'],
      rows: rows.map(({ label, value, low, high }) => [label, percent(value), percent(low), percent(high)]),
    },
    note: `${methods.join('; ')}.`,
  });
}

function differences({ comparison, runs, baseline }: ReportModel): Markup | undefined {
  const index = new Map(runs.map(({ label }, position) => [label, position]));
  const rows = (comparison?.comparisons ?? [])
    .filter(({ metric, runA, runB }) => metric === 'passRate' && [runA, runB].includes(baseline))
    .map((one) => {
      const isReversed = one.runA === baseline;
      const other = isReversed ? one.runB : one.runA;
      const [low, high] = isReversed ? [-one.interval.high, -one.interval.low] : [one.interval.low, one.interval.high];
      const value = isReversed ? -one.difference : one.difference;
      return {
        label: other,
        value,
        low,
        high,
        run: index.get(other) ?? 0,
        text: metricValue('passRate', value, true),
        one,
      };
    });
  const [first] = rows;
  if (first === undefined) return undefined;
  const reach = Math.max(0.05, ...rows.flatMap(({ low, high }) => [Math.abs(low), Math.abs(high)])) * 1.05;
  return intervalsPlot({
    id: 'differences-plot',
    title: `Pass rate, difference from ${baseline}`,
    says: rows.map(({ label, text, one }) => `${label}: ${text}, ${pValue(one.pAdjusted)}`).join('. '),
    rows,
    domain: [-reach, reach],
    format: (value) => `${value > 0 ? '+' : ''}${Math.round(value * 100)}`,
    reference: 0,
    table: {
      header: ['run', 'difference', 'interval', 'p, corrected'],
      rows: rows.map(({ label, text, low, high, one }) => [
        label,
        text,
        metricInterval('passRate', { ...one.interval, low, high }, true),
        pValue(one.pAdjusted),
      ]),
    },
    note: `In points, over the same tasks: ${intervalWords(first.one.interval)}. An interval that holds 0 shows no difference.`,
  });
}

function times({ runs }: ReportModel): Markup | undefined {
  const curves = runs.map(({ label, rows }) => ({
    label,
    points: ecdf(countedAttempts(rows).map(({ durationMs }) => durationMs)).map(({ value, share }) => ({
      x: value,
      y: share,
    })),
  }));
  if (curves.every(({ points }) => points.length < 2)) return undefined;
  return curvesPlot({
    id: 'times',
    title: 'Time of an attempt',
    says: runs
      .map(
        ({ label, durations }) =>
          `${label}: half of the attempts end within ${duration(durations?.p50 ?? 0)}, nine of ten within ${duration(durations?.p90 ?? 0)}`,
      )
      .join('. '),
    curves,
    xName: 'time →',
    yName: '↑ share of attempts that ended',
    formatX: duration,
    formatY: percent,
    kind: 'step',
    table: spreadTable(runs, ({ durations }) => durations, duration),
  });
}

interface SpreadPlot {
  readonly id: string;
  readonly title: string;
  readonly spread: (run: RunSummary) => Spread | undefined;
  readonly format: (value: number) => string;
}

function spreadPlot({ runs }: ReportModel, { id, title, spread, format }: SpreadPlot): Markup | undefined {
  const rows = runs.flatMap((run, index) => {
    const values = spread(run);
    return values === undefined ? [] : [{ label: run.label, spread: values, run: index }];
  });
  if (rows.length === 0 || rows.every((row) => row.spread.max === 0)) return undefined;
  return boxesPlot({
    id,
    title,
    says: rows
      .map(
        (row) =>
          `${row.label}: median ${format(row.spread.p50)}, from ${format(row.spread.min)} to ${format(row.spread.max)}`,
      )
      .join('. '),
    rows,
    format,
    table: spreadTable(runs, spread, format),
    note: 'The box holds the middle half, the line in it is the median, which is also written; the mark is the mean.',
  });
}

function spreadTable(
  runs: readonly RunSummary[],
  spread: (run: RunSummary) => Spread | undefined,
  format: (value: number) => string,
): { header: readonly string[]; rows: readonly (readonly string[])[] } {
  const names = ['min', 'p25', 'p50', 'p75', 'p90', 'p99', 'max', 'mean'] as const;
  return {
    header: ['run', ...names],
    rows: runs.flatMap((run) => {
      const values = spread(run);
      return values === undefined ? [] : [[run.label, ...names.map((name) => format(values[name]))]];
    }),
  };
}

function scoresByTask({ runs, tasks }: ReportModel): Markup | undefined {
  const labels = runs.map(({ label }) => label);
  const found = tasks
    .map(({ id, rows }) => ({
      id,
      values: rows.map((row) => row && taskScore(row)),
    }))
    .filter(({ values }) => values.some((value) => value !== undefined));
  if (found.length === 0) return undefined;
  const average = (values: readonly (number | undefined)[]): number => {
    const known = values.filter((value) => value !== undefined);
    return known.reduce((sum, value) => sum + value, 0) / known.length;
  };
  const sorted = found.map((task) => ({ ...task, mean: average(task.values) })).sort((a, b) => a.mean - b.mean);
  const shown = sorted.slice(0, 200);
  const table = {
    header: ['task', ...labels],
    rows: shown.map(({ id, values }) => [id, ...values.map((value) => (value === undefined ? '–' : value.toFixed(2)))]),
  };
  const rest =
    sorted.length > shown.length
      ? `The table has the ${shown.length} hardest tasks; the list of tasks has all.`
      : undefined;
  if (sorted.length <= MAX_TASK_ROWS) {
    return tasksPlot({
      id: 'scores',
      title: 'Score by task',
      says: `${sorted.length} tasks, hardest first. The hardest is ${sorted[0]?.id ?? ''}.`,
      labels,
      tasks: sorted,
      format: (value) => String(value),
      table,
      note: 'Mean score over the attempts, hardest task first.',
    });
  }
  const curves = runs.map(({ label }, run) => {
    const values = found.flatMap(({ values }) => values[run] ?? []).sort((a, b) => a - b);
    return { label, points: values.map((value, index) => ({ x: (index + 1) / values.length, y: value })) };
  });
  return curvesPlot({
    id: 'scores',
    title: 'Score by task',
    says: `${found.length} tasks, sorted by their score in each run: the further left a curve rises, the more tasks are solved.`,
    curves,
    xName: 'tasks, hardest first →',
    yName: '↑ score',
    formatX: percent,
    formatY: (value) => String(value),
    kind: 'line',
    domainX: [0, 1],
    table,
    ...(rest !== undefined && { note: rest }),
  });
}

function runAgainstRun({ runs, tasks, baseline }: ReportModel): readonly Markup[] {
  const base = runs.findIndex(({ label }) => label === baseline);
  return runs
    .map(({ label }, run) => ({ label, run }))
    .filter(({ run }) => run !== base)
    .slice(0, MAX_AGAINST)
    .flatMap(({ label, run }) => {
      const counts = new Map<string, { x: number; y: number; count: number }>();
      for (const { rows } of tasks) {
        const [first, second] = [rows[base], rows[run]];
        const [x, y] = [first && taskScore(first), second && taskScore(second)];
        if (x === undefined || y === undefined) continue;
        const near = { x: Math.round(x * 20) / 20, y: Math.round(y * 20) / 20 };
        const key = `${near.x} ${near.y}`;
        counts.set(key, { ...near, count: (counts.get(key)?.count ?? 0) + 1 });
      }
      const bubbles = [...counts.values()].sort((a, b) => b.count - a.count);
      if (bubbles.length === 0) return [];
      const sum = (test: (bubble: (typeof bubbles)[number]) => boolean): number =>
        bubbles.filter(test).reduce((total, bubble) => total + bubble.count, 0);
      const [above, below, same] = [sum(({ x, y }) => y > x), sum(({ x, y }) => y < x), sum(({ x, y }) => y === x)];
      return [
        bubblesPlot({
          id: `against-${run}`,
          title: `${label} against ${baseline}`,
          says: `Scores of the same tasks: ${label} is better on ${above}, ${baseline} on ${below}, and ${same} are the same.`,
          bubbles,
          xName: baseline,
          yName: label,
          format: (value) => String(Number(value.toFixed(2))),
          table: {
            header: [baseline, label, 'tasks'],
            rows: bubbles.map(({ x, y, count: times }) => [x.toFixed(2), y.toFixed(2), String(times)]),
          },
          note: `Scores of the same tasks: ${label} better on ${above}, ${baseline} on ${below}, the same on ${same}.`,
        }),
      ];
    });
}

/** Every two runs in every metric, as a table. */
export function differencesSection({ comparison }: ReportModel): Markup | undefined {
  if (comparison === undefined) return undefined;
  const { comparisons, taskDifferences } = comparison;
  const named = taskDifferences.slice(0, 20);
  return markup`<section id="differences"><h2>Differences</h2>
<div class="scroll" role="group" aria-label="Differences" tabindex="0"><table class="data"><thead><tr><th scope="col">metric</th><th scope="col">runs</th><th scope="col">means</th><th scope="col">difference</th><th scope="col">interval</th><th scope="col">wins</th><th scope="col">p</th><th scope="col">corrected</th><th scope="col">better</th></tr></thead><tbody>${comparisons.map(
    ({ metric, runA, runB, meanA, meanB, difference, interval, aWins, bWins, ties, p, pAdjusted, better }) =>
      markup`<tr><th scope="row">${METRIC_WORDS[metric]}</th><td>${runA} − ${runB}</td><td>${metricValue(metric, meanA)}, ${metricValue(metric, meanB)}</td><td><b>${metricValue(metric, difference, true)}</b></td><td>${metricInterval(metric, interval, true)}</td><td>${aWins} : ${bWins}, ${ties} ties</td><td>${pValue(p).replace(/^p (= )?/, '')}</td><td>${pValue(pAdjusted).replace(/^p (= )?/, '')}</td><td>${better === null ? markup`<span class="dim">cannot be told</span>` : markup`<b>${better}</b>`}</td></tr>\n`,
  )}</tbody></table></div>
<p class="note">Means over the tasks that both runs have. Intervals: bootstrap of the paired differences, BCa. p: permutation test of the paired differences, in either direction; corrected by Holm's method for all pairs of runs.</p>
${named.length > 0 && markup`<p>Single tasks that differ by more than luck (Fisher's exact test of the trials, corrected by Benjamini and Hochberg): ${named.map(({ id, runA, runB, passRateA, passRateB }, index) => markup`${index > 0 && '; '}<b>${id}</b> (${runA} ${percent(passRateA)}, ${runB} ${percent(passRateB)})`)}.</p>`}</section>`;
}
