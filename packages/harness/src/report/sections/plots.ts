import { countedAttempts } from '../../compare/metrics.ts';
import {
  count,
  duration,
  intervalWords,
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
import { curvesPlot } from '../plots/curves-plot.ts';
import { type IntervalRow, intervalsPlot } from '../plots/intervals-plot.ts';
import { tradeoffPlot, unbeaten } from '../plots/tradeoff-plot.ts';
import { runAgainstRun, scoresByTask } from './task-plots.ts';

/** All plots that the results have numbers for. */
export function plotsSection(model: ReportModel): Markup {
  const plots = [
    passRates(model),
    differences(model),
    tradeoff(model),
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

/** What a pass costs: in money where results have it, in time otherwise. */
function tradeoff({ runs }: ReportModel): Markup | undefined {
  const hasCosts = runs.every(({ costs }) => costs !== undefined);
  const points = runs.flatMap(({ label, passRate, interval, costs, durations }, run) => {
    const x = hasCosts ? costs?.mean : durations?.p50;
    if (passRate === undefined || interval === undefined || x === undefined) return [];
    return [{ label, run, x, y: passRate, low: interval.low, high: interval.high }];
  });
  if (points.length < 2 || points.every(({ x }) => x === 0)) return undefined;
  const format = hasCosts ? (value: number) => money(value, runs[0]?.currency) : duration;
  const name = hasCosts ? 'mean cost of an attempt' : 'median time of an attempt';
  const best = unbeaten(points).map(({ label }) => label);
  return tradeoffPlot({
    id: 'tradeoff',
    title: `Pass rate against ${hasCosts ? 'cost' : 'time'}`,
    says: `${points.map(({ label, x, y }) => `${label}: ${percent(y)} for ${format(x)}`).join('. ')}. No other run is both cheaper and better than ${best.join(', ')}.`,
    points,
    xName: name,
    yName: 'pass rate',
    formatX: format,
    formatY: percent,
    table: {
      header: ['run', name, 'pass rate', 'low', 'high'],
      rows: points.map(({ label, x, y, low, high }) => [label, format(x), percent(y), percent(low), percent(high)]),
    },
    note: `The line joins the runs that no other beats in both: ${best.join(', ')}.`,
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
