/** How often one task was tried, and how often the answer passed. */
export interface Tries {
  readonly passes: number;
  readonly trials: number;
}

/** Passes divided by trials; undefined for no trial at all. */
export function passRate({ passes, trials }: Tries): number | undefined {
  return trials === 0 ? undefined : passes / checked({ passes, trials }).trials;
}

/**
 * The chance that at least one of `k` trials passes: 1 - C(n-c, k) / C(n, k) for c passes in n trials. It is unbiased, and
 * needs n >= k (Chen et al. 2021, "Evaluating Large Language Models Trained on Code"). Undefined for fewer trials than k.
 */
export function passAtK(tries: Tries, k: number): number | undefined {
  const { passes, trials } = checked(tries, k);
  return k > trials ? undefined : 1 - shareOfChoices(trials - passes, trials, k);
}

/**
 * The chance that `k` trials pass, all of them: C(c, k) / C(n, k). Unbiased (Yao et al. 2024, "tau-bench"). Undefined for
 * fewer trials than k.
 */
export function passExpK(tries: Tries, k: number): number | undefined {
  const { passes, trials } = checked(tries, k);
  return k > trials ? undefined : shareOfChoices(passes, trials, k);
}

/** 1 - (1 - c/n)^k. Defined for any k, and too high or too low on average unless c/n is the truth. */
export function passAtKPlugIn(tries: Tries, k: number): number | undefined {
  const rate = passRate(checked(tries, k));
  return rate === undefined ? undefined : 1 - (1 - rate) ** k;
}

/** (c/n)^k. Defined for any k; on average higher than the truth. */
export function passExpKPlugIn(tries: Tries, k: number): number | undefined {
  const rate = passRate(checked(tries, k));
  return rate === undefined ? undefined : rate ** k;
}

export type Estimator = 'unbiased' | 'plug-in';

/**
 * What a trial result says of one task, with the estimator that it was computed by. Where n = k the unbiased pass@k can
 * only be 0 or 1, so the plug-in value stands in `passAtK` there, as other harnesses write it.
 */
export interface TrialMetrics {
  readonly passRate: number;
  readonly passAtK: number;
  readonly passExpK: number;
  readonly estimator: Estimator;
}

/** The metrics of one task; undefined when nothing was graded. */
export function trialMetrics(tries: Tries, k: number, estimator?: Estimator): TrialMetrics | undefined {
  const rate = passRate(checked(tries, k));
  if (rate === undefined) return undefined;
  const chosen = estimator ?? (tries.trials > k ? 'unbiased' : 'plug-in');
  const unbiased = chosen === 'unbiased' && tries.trials >= k;
  const atK = unbiased ? passAtK(tries, k) : passAtKPlugIn(tries, k);
  const expK = unbiased ? passExpK(tries, k) : passExpKPlugIn(tries, k);
  return { passRate: rate, passAtK: atK ?? 0, passExpK: expK ?? 0, estimator: unbiased ? 'unbiased' : 'plug-in' };
}

/**
 * How much a task depends on luck: the chance that `k` trials do not end alike, which is pass@k - pass^k. Unbiased where there
 * are at least k trials, plug-in otherwise; undefined for no trial.
 */
export function flakiness(tries: Tries, k = 2): number | undefined {
  const metrics = trialMetrics(tries, k, 'unbiased');
  return metrics === undefined ? undefined : metrics.passAtK - metrics.passExpK;
}

/** C(part, k) / C(whole, k) as a product, since the binomials themselves overflow. */
function shareOfChoices(part: number, whole: number, k: number): number {
  if (k > part) return 0;
  let share = 1;
  for (let index = 0; index < k; index++) share *= (part - index) / (whole - index);
  return share;
}

function checked(tries: Tries, k = 1): Tries {
  const { passes, trials } = tries;
  if (!(Number.isInteger(passes) && Number.isInteger(trials) && passes >= 0 && passes <= trials)) {
    throw new RangeError(
      `${passes} passes in ${trials} trials: both are whole numbers, and no more pass than were tried.`,
    );
  }
  if (!(Number.isInteger(k) && k >= 1)) throw new RangeError(`k is ${k}; it is a whole number from 1 on.`);
  return tries;
}
