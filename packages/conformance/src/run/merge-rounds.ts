import type { Outcome } from '../check.ts';
import type { CheckResult } from '../report/report.ts';

/** Joins the results of several rounds: what does not come out the same every time is flaky. */
export function mergeRounds(rounds: readonly (readonly CheckResult[])[]): readonly CheckResult[] {
  const [first = []] = rounds;
  if (rounds.length < 2) return first;
  return first.map((result) => {
    const all = rounds.flatMap((round) => round.find(({ id }) => id === result.id) ?? []);
    return mergeResults(all) ?? result;
  });
}

function mergeResults(all: readonly CheckResult[]): CheckResult | undefined {
  const outcomes = all.map(({ outcome }) => outcome);
  const worst = all.find(({ outcome }) => isBroken(outcome)) ?? all[0];
  if (!worst) return undefined;
  const isFlaky = new Set(outcomes).size > 1;
  const broken = outcomes.filter(isBroken).length;
  return {
    ...worst,
    ...(isFlaky
      ? { outcome: 'flaky', reason: `${broken} of ${outcomes.length} rounds went wrong: ${worst.reason ?? ''}` }
      : {}),
    durationMs: Math.max(...all.map(({ durationMs }) => durationMs)),
    rounds: outcomes,
  };
}

function isBroken(outcome: Outcome): boolean {
  return outcome === 'fail' || outcome === 'warn';
}
