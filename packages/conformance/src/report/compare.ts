import type { Outcome } from '../check.ts';
import type { CheckResult, Report } from './report.ts';

/** What has changed since an earlier run. */
export interface Comparison {
  /** Right before, wrong now. */
  readonly newlyFailing: readonly CheckResult[];
  /** Wrong before, right now. */
  readonly fixed: readonly CheckResult[];
  /** Any other change of outcome. */
  readonly changed: readonly { readonly result: CheckResult; readonly before: Outcome }[];
  /** Checks that the earlier run did not have. */
  readonly added: readonly CheckResult[];
}

export function compareReports(before: Report, after: Report): Comparison {
  const earlier = new Map(before.results.map(({ id, outcome }) => [id, outcome]));
  const newlyFailing: CheckResult[] = [];
  const fixed: CheckResult[] = [];
  const changed: { result: CheckResult; before: Outcome }[] = [];
  const added: CheckResult[] = [];
  for (const result of after.results) {
    const outcome = earlier.get(result.id);
    if (outcome === undefined) added.push(result);
    else if (outcome === result.outcome) continue;
    else if (isBroken(result.outcome) && !isBroken(outcome)) newlyFailing.push(result);
    else if (result.outcome === 'pass' && isBroken(outcome)) fixed.push(result);
    else changed.push({ result, before: outcome });
  }
  return { newlyFailing, fixed, changed, added };
}

function isBroken(outcome: Outcome): boolean {
  return outcome === 'fail' || outcome === 'warn' || outcome === 'flaky';
}
