export {
  accelerationOf,
  type BootstrapOptions,
  bootstrapInterval,
  DEFAULT_BOOTSTRAP_ITERATIONS,
} from './bootstrap.ts';
export { benjaminiHochberg, holm } from './corrections.ts';
export { fisherExactTest } from './fisher.ts';
export { DEFAULT_LEVEL, type Interval, wilsonInterval } from './interval.ts';
export { normalCdf, normalQuantile } from './normal.ts';
export {
  comparePaired,
  DEFAULT_PERMUTATIONS,
  type PairedComparison,
  type PairedOptions,
  type PermutationOptions,
  type PermutationTest,
  permutationTest,
} from './paired.ts';
export {
  type Estimator,
  flakiness,
  passAtK,
  passAtKPlugIn,
  passExpK,
  passExpKPlugIn,
  passRate,
  type TrialMetrics,
  type Tries,
  trialMetrics,
} from './pass-at-k.ts';
export { ecdf, mean, quantile, type Spread, spreadOf } from './quantiles.ts';
export { createRandom, DEFAULT_SEED, type Random, sample } from './random.ts';
