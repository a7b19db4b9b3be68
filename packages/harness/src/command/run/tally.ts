import type { CaptureResult } from '../../formats/capture-result.ts';
import type { TrialEntry } from '../../formats/trial-result.ts';
import { wilsonInterval } from '../../statistics/interval.ts';

/** How an attempt ended, in a word. */
export type Verdict = 'passed' | 'failed' | 'done' | 'error' | 'ungraded';

/** Counts how attempts end. */
export class Tally {
  readonly #counts: Record<Verdict, number> = { passed: 0, failed: 0, done: 0, error: 0, ungraded: 0 };
  /** Of `error`, those that took too long. */
  timeouts = 0;

  add(
    attempt: Pick<CaptureResult | TrialEntry, 'failure' | 'graderError'> & { readonly pass: boolean | undefined },
  ): Verdict {
    const verdict = verdictOf(attempt);
    this.#counts[verdict] += 1;
    if (attempt.failure === 'timeout') this.timeouts += 1;
    return verdict;
  }

  get total(): number {
    return Object.values(this.#counts).reduce((sum, count) => sum + count, 0);
  }

  get ungraded(): number {
    return this.#counts.ungraded;
  }

  get errors(): number {
    return this.#counts.error + this.#counts.ungraded;
  }

  /** Those that passed among those that were judged; without a grader, those that came to their end among all. */
  get passRate(): number | undefined {
    const { passes, trials } = this.#tries();
    return trials === 0 ? undefined : passes / trials;
  }

  /** `31 passed, 8 failed, 1 error; 78 % pass (62 to 88 %)` */
  describe(): string {
    const { passed, failed, done, error, ungraded } = this.#counts;
    const counts = [
      passed > 0 || failed > 0 ? `${passed} passed, ${failed} failed` : '',
      done > 0 ? `${done} done` : '',
      error > 0
        ? `${error} ${error === 1 ? 'error' : 'errors'}${this.timeouts > 0 ? ` (${this.timeouts} took too long)` : ''}`
        : '',
      ungraded > 0 ? `${ungraded} could not be graded` : '',
    ].filter(Boolean);
    const interval = passed + failed > 0 ? wilsonInterval(this.#tries()) : undefined;
    const percent = (share: number): string => `${Math.round(share * 100)}`;
    const rate = interval
      ? `; ${percent(this.passRate ?? 0)} % pass (${percent(interval.low)} to ${percent(interval.high)} %)`
      : '';
    return `${counts.join(', ') || 'nothing done'}${rate}`;
  }

  #tries(): { readonly passes: number; readonly trials: number } {
    const { passed, failed, done, error } = this.#counts;
    return passed + failed > 0
      ? { passes: passed, trials: passed + failed + error }
      : { passes: done, trials: done + error };
  }
}

function verdictOf({ failure, graderError, pass }: Parameters<Tally['add']>[0]): Verdict {
  if (failure !== undefined) return 'error';
  if (graderError !== undefined) return 'ungraded';
  if (pass === undefined) return 'done';
  return pass ? 'passed' : 'failed';
}
