import { HarnessError } from '../errors.ts';

/**
 * `weighted`: one number of quality, speed and reliability decides a task. `statistical`: quality alone, and only what trials can
 * show. `custom`: a comparison grader ranks the runs of a task.
 */
export type Strategy = 'weighted' | 'statistical' | 'custom';

export const STRATEGIES: readonly Strategy[] = ['weighted', 'statistical', 'custom'];

export interface CompareOptions {
  /** Default: weighted. */
  readonly strategy?: Strategy;
  readonly weights?: Weights;
  /** Of every interval; 1 - level is what a p-value must stay below. Default: 0.95. */
  readonly level?: number;
  readonly seed?: number;
  readonly bootstrapIterations?: number;
  /** Two runs of a task whose numbers differ by no more than this tied. Default: 0.01. */
  readonly tie?: number;
  /** The run that others are held against. Default: the first. */
  readonly baseline?: string;
  /** With `custom`: how good each run is on a task, by task and label. */
  readonly rankings?: ReadonlyMap<string, ReadonlyMap<string, number>>;
  readonly now?: () => Date;
}

export interface Weights {
  readonly quality: number;
  readonly latency: number;
  readonly reliability: number;
  readonly capability: number;
  readonly consistency: number;
  /** Of pass^k, where trials are compared. */
  readonly trialsReliability: number;
}

export const DEFAULT_WEIGHTS: Weights = {
  quality: 0.5,
  latency: 0.3,
  reliability: 0.2,
  capability: 0.4,
  trialsReliability: 0.4,
  consistency: 0.2,
};

export const DEFAULT_TIE = 0.01;

/** Weights and the number of bootstrap samples as the environment has them: `COMPARE_QUALITY=0.7`. */
export function optionsFromEnv(
  env: Readonly<Record<string, string | undefined>>,
): Pick<CompareOptions, 'weights' | 'bootstrapIterations'> {
  const iterations = numberIn(env, 'COMPARE_BOOTSTRAP_ITERATIONS', 100);
  const weight = (name: keyof Weights, variable: string): number => numberIn(env, variable, 0) ?? DEFAULT_WEIGHTS[name];
  return {
    weights: {
      quality: weight('quality', 'COMPARE_QUALITY'),
      latency: weight('latency', 'COMPARE_LATENCY'),
      reliability: weight('reliability', 'COMPARE_RELIABILITY'),
      capability: weight('capability', 'COMPARE_CAPABILITY'),
      trialsReliability: weight('trialsReliability', 'COMPARE_RELIABILITY'),
      consistency: weight('consistency', 'COMPARE_CONSISTENCY'),
    },
    ...(iterations !== undefined && { bootstrapIterations: Math.round(iterations) }),
  };
}

function numberIn(env: Readonly<Record<string, string | undefined>>, name: string, least: number): number | undefined {
  const text = env[name];
  if (text === undefined || text === '') return undefined;
  const value = Number(text);
  if (Number.isFinite(value) && value >= least) return value;
  throw new HarnessError('options_invalid', `${name} is "${text}"; it is a number from ${least} on.`);
}
