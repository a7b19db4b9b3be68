import type { Interval } from '../statistics/interval.ts';
import type { ComparedMetric, MetricComparison } from './paired-comparisons.ts';

export const METRIC_WORDS: Readonly<Record<ComparedMetric, string>> = {
  passRate: 'pass rate',
  score: 'score',
  durationMs: 'time',
  cost: 'cost',
};

/** `71 %`, and `71.4 %` for what lies between. */
export function percent(share: number): string {
  const value = share * 100;
  return `${Number.isInteger(Math.round(value * 10) / 10) ? Math.round(value) : value.toFixed(1)} %`;
}

/** `850 ms`, `4.2 s`, `3 min 20 s`. */
export function duration(ms: number): string {
  const size = Math.abs(ms);
  if (size < 1000) return `${Math.round(ms)} ms`;
  if (size < 10_000) return `${(ms / 1000).toFixed(1)} s`;
  if (size < 120_000) return `${Math.round(ms / 1000)} s`;
  const seconds = Math.round(size / 1000);
  const [hours, minutes, rest] = [Math.floor(seconds / 3600), Math.floor((seconds % 3600) / 60), seconds % 60];
  const text = hours > 0 ? `${hours} h ${minutes} min` : rest === 0 ? `${minutes} min` : `${minutes} min ${rest} s`;
  return ms < 0 ? `-${text}` : text;
}

export function money(amount: number, currency = 'USD'): string {
  const digits = Math.abs(amount) >= 100 ? 0 : Math.abs(amount) >= 0.1 || amount === 0 ? 2 : 4;
  return currency === 'USD'
    ? `${amount < 0 ? '-' : ''}$${Math.abs(amount).toFixed(digits)}`
    : `${amount.toFixed(digits)} ${currency}`;
}

/** `18k`, `1.2M`. */
export function count(value: number): string {
  if (value >= 1e6) return `${(value / 1e6).toFixed(1)}M`;
  if (value >= 10_000) return `${Math.round(value / 1000)}k`;
  if (value >= 1000) return `${(value / 1000).toFixed(1)}k`;
  return Number.isInteger(value) ? String(value) : value.toFixed(1);
}

/** `p = 0.031`, `p < 0.001`. */
export function pValue(p: number): string {
  return p < 0.001 ? 'p < 0.001' : `p = ${p < 0.01 ? p.toFixed(4) : p.toFixed(3)}`;
}

/** A value of a metric in its unit; with `isDifference` its sign is always shown. */
export function metricValue(metric: ComparedMetric, value: number, isDifference = false): string {
  const sign = isDifference && value > 0 ? '+' : '';
  if (metric === 'durationMs') return sign + duration(value);
  if (metric === 'cost') return sign + money(value);
  if (metric === 'score') return sign + value.toFixed(3);
  return isDifference ? `${sign}${(value * 100).toFixed(1)} points` : percent(value);
}

export function metricInterval(metric: ComparedMetric, { low, high }: Interval, isDifference = false): string {
  const text = `${metricValue(metric, low, isDifference)} to ${metricValue(metric, high, isDifference)}`;
  return text.replace(' points to', ' to');
}

/** What a comparison says, in a sentence; the difference is that of the better run from the worse. */
export function verdict(one: MetricComparison): string {
  const { metric, runA, runB, pAdjusted, better } = one;
  const name = METRIC_WORDS[metric];
  if (better === null) {
    const facts = `${metricValue(metric, one.difference, true)} (${metricInterval(metric, one.interval, true)})`;
    return `${name}: ${runA} and ${runB} cannot be told apart, ${facts}, ${pValue(pAdjusted)}`;
  }
  const { low, high } = one.interval;
  const interval = one.difference < 0 ? { ...one.interval, low: -high, high: -low } : one.interval;
  const range = `${distance(metric, interval.low)} to ${distance(metric, interval.high)}`.replace(' points to', ' to');
  const by = `${distance(metric, Math.abs(one.difference))} (${range})`;
  return `${name}: ${better} is better than ${better === runA ? runB : runA} by ${by}, ${pValue(pAdjusted)}`;
}

function distance(metric: ComparedMetric, value: number): string {
  return metric === 'passRate' ? `${(value * 100).toFixed(1)} points` : metricValue(metric, value);
}

export function intervalWords({ level, method }: Interval): string {
  const names = { wilson: 'Wilson', bca: 'bootstrap, BCa', percentile: 'bootstrap, percentile' };
  return `${percent(level)} interval, ${names[method]}`;
}
