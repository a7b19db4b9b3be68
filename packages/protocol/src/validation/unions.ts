import { type Check, drop, type Fields } from './checks.ts';
import { expected, INVALID, type Problem, restoreProblem, takeProblem } from './problem.ts';

/** One of several object shapes, told apart by the fields that only it requires. */
export interface Option {
  readonly check: Check;
  readonly marks: readonly string[];
}

/**
 * The first option that fits. Fields that mark another option are left out of the result, so that asking
 * `'blob' in resource` tells the truth even when the peer sent a malformed `blob` beside a good `text`.
 */
export function eitherOf(value: Fields, options: readonly Option[]): unknown {
  let best: Problem | undefined;
  for (const option of options) {
    const checked = option.check(value);
    if (checked !== INVALID) return withoutOtherMarks(checked as Fields, value, option, options);
    best = clearer(best, takeProblem());
  }
  return best ? restoreProblem(best) : INVALID;
}

/** The one option whose marks are all there; it is wrong to have those of two. */
export function exactlyOneOf(value: Fields, options: readonly Option[]): unknown {
  const present = options.filter(({ marks }) => marks.every((key) => Object.hasOwn(value, key)));
  const [option] = present;
  if (option !== undefined && present.length === 1) return option.check(value);
  const names = options.map(({ marks }) => marks.join(' + ')).join(' or ');
  return expected(`exactly one of ${names}`, value);
}

/** The first of several checks that accepts the value; else the problem that says most. */
export function anyOf(value: unknown, ...checks: readonly Check[]): unknown {
  let best: Problem | undefined;
  for (const check of checks) {
    const checked = check(value);
    if (checked !== INVALID) return checked;
    best = clearer(best, takeProblem());
  }
  return best ? restoreProblem(best) : INVALID;
}

/**
 * A tagged variant did not fit: a variant without a tag may. It then loses the tag, which would claim that the value
 * is what it is not.
 */
export function orElse(checked: unknown, value: Fields, tag: string, fallback: Check): unknown {
  if (checked !== INVALID) return checked;
  const problem = takeProblem();
  const second = fallback(value);
  return second === INVALID ? restoreProblem(problem) : drop(second as Fields, value, tag);
}

function withoutOtherMarks(checked: Fields, value: Fields, option: Option, options: readonly Option[]): Fields {
  let result = checked;
  for (const other of options) {
    if (other === option) continue;
    for (const key of other.marks) if (Object.hasOwn(result, key)) result = drop(result, value, key);
  }
  return result;
}

/** A wrong value says more than a missing one, and a deep problem more than a shallow one. */
function clearer(best: Problem | undefined, next: Problem): Problem {
  if (best === undefined) return next;
  if ((best.kind === 'missing') !== (next.kind === 'missing')) return best.kind === 'missing' ? next : best;
  return next.path.length > best.path.length ? next : best;
}
