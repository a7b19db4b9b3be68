import { type CommandContext, readNumber, requireChoice, usageError } from '@parley/host/command-line';
import { shortLine } from '@parley/terminal';
import type { Comparison } from '../../compare/compare-runs.ts';
import { passRateOf } from '../../compare/metrics.ts';
import type { RunRows } from '../../compare/runs/attempt-row.ts';

/** When a script is to stop. */
export interface VerdictFlags {
  readonly failUnder?: string;
  /** True without a kind. */
  readonly failOnRegression?: string | boolean;
}

/** Whether all is well by the flags; what is not is told on stderr. */
export function tellVerdict(
  runs: readonly RunRows[],
  comparison: Comparison | undefined,
  flags: VerdictFlags,
  { stderr }: CommandContext,
): boolean {
  const problems = [...underThreshold(runs, flags), ...regressed(comparison, flags)];
  for (const problem of problems) stderr.write(`${problem}\n`);
  return problems.length === 0;
}

function underThreshold(runs: readonly RunRows[], { failUnder }: VerdictFlags): readonly string[] {
  const least = readNumber('--fail-under', failUnder, { least: 0, most: 1 });
  if (least === undefined) return [];
  return runs.flatMap((run) => {
    const rate = passRateOf(run);
    if (rate === undefined) return [`${run.label}: nothing was graded, and --fail-under ${least} wants it`];
    return rate >= least
      ? []
      : [`${run.label}: ${(rate * 100).toFixed(1)} % pass, under ${(least * 100).toFixed(1)} %`];
  });
}

function regressed(comparison: Comparison | undefined, { failOnRegression }: VerdictFlags): readonly string[] {
  if (failOnRegression === undefined || failOnRegression === false) return [];
  const kind =
    failOnRegression === true
      ? 'significant'
      : requireChoice('--fail-on-regression', failOnRegression, ['significant', 'any'] as const);
  if (comparison === undefined) throw usageError('--fail-on-regression needs two runs or more of the same kind.');
  return comparison.regressions.flatMap(({ baseline, run, isWorse, broken }) => {
    const ids = broken.slice(0, 5).map(({ id }) => shortLine(id, 40));
    const named =
      broken.length === 0
        ? ''
        : `; it fails ${broken.length} that ${baseline} passed: ${ids.join(', ')}${broken.length > ids.length ? ' ...' : ''}`;
    if (isWorse) return [`${run} is worse than ${baseline}, by more than luck${named}`];
    return kind === 'any' && broken.length > 0 ? [`${run} is worse than ${baseline}${named}`] : [];
  });
}
