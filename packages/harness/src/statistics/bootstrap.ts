import { checkedLevel, DEFAULT_LEVEL, type Interval } from './interval.ts';
import { normalCdf, normalQuantile } from './normal.ts';
import { mean, quantileOfSorted } from './quantiles.ts';
import { createRandom, DEFAULT_SEED, TWO_TO_32 } from './random.ts';

export interface BootstrapOptions {
  /** Default: the mean, which is also the fastest. */
  readonly statistic?: (values: readonly number[]) => number;
  /** `bca` corrects for bias and skew; `percentile` is the plain form. Default: bca. */
  readonly method?: 'bca' | 'percentile';
  /** Default: 0.95. */
  readonly level?: number;
  /** How many samples are drawn. Default: 2000, and 1000 of very many values. */
  readonly iterations?: number;
  readonly seed?: number;
}

export const DEFAULT_BOOTSTRAP_ITERATIONS = 2000;

/** With more values than this, half as many samples are as good: their mean is all but normal. */
const MANY_VALUES = 4000;

/** With fewer samples than this, the ends of an interval are too much a matter of luck. */
export const MIN_BOOTSTRAP_ITERATIONS = 100;

/**
 * An interval for any statistic of independent values, by drawing from them again and again (Efron 1987). The values are one
 * for each task, so that trials of one task do not count as independent. Where BCa is not defined (one value, all equal, or a
 * statistic that lies outside of its own samples) the answer is the percentile interval, and says so.
 */
export function bootstrapInterval(values: readonly number[], options: BootstrapOptions = {}): Interval | undefined {
  const { statistic = mean, method = 'bca', level = DEFAULT_LEVEL, seed = DEFAULT_SEED } = options;
  const usual = values.length > MANY_VALUES ? DEFAULT_BOOTSTRAP_ITERATIONS / 2 : DEFAULT_BOOTSTRAP_ITERATIONS;
  const { iterations = usual } = options;
  checkedLevel(level);
  if (!(Number.isInteger(iterations) && iterations >= MIN_BOOTSTRAP_ITERATIONS)) {
    throw new RangeError(`${iterations} bootstrap samples: it is a whole number from ${MIN_BOOTSTRAP_ITERATIONS} on.`);
  }
  if (values.length === 0) return undefined;
  const drawn = statistic === mean ? drawMeans(values, iterations, seed) : draw(values, statistic, iterations, seed);
  drawn.sort();
  const ends = method === 'bca' ? bcaShares(values, drawn, statistic, level) : undefined;
  const [low, high] = ends ?? [(1 - level) / 2, (1 + level) / 2];
  return {
    low: quantileOfSorted(drawn, low) ?? 0,
    high: quantileOfSorted(drawn, high) ?? 0,
    level,
    method: ends === undefined ? 'percentile' : 'bca',
  };
}

function draw(
  values: readonly number[],
  statistic: (values: readonly number[]) => number,
  iterations: number,
  seed: number,
): Float64Array {
  const random = createRandom(seed);
  const drawn = new Float64Array(iterations);
  const sample = [...values];
  for (let iteration = 0; iteration < iterations; iteration++) {
    for (let index = 0; index < sample.length; index++) sample[index] = values[random.below(values.length)] as number;
    drawn[iteration] = statistic(sample);
  }
  return drawn;
}

/** Without a copy of the values for each sample. */
function drawMeans(values: readonly number[], iterations: number, seed: number): Float64Array {
  const random = createRandom(seed);
  const drawn = new Float64Array(iterations);
  const source = Float64Array.from(values);
  const count = source.length;
  const bits = new Uint32Array(count);
  // One value is more likely than another by at most count / 2^32, which no interval shows.
  const scale = count / TWO_TO_32;
  for (let iteration = 0; iteration < iterations; iteration++) {
    random.fill(bits);
    let sum = 0;
    for (let index = 0; index < count; index++) sum += source[((bits[index] as number) * scale) | 0] as number;
    drawn[iteration] = sum / count;
  }
  return drawn;
}

/** Which shares of the sorted samples are the ends: Efron and Tibshirani 1993, equation 14.10. */
function bcaShares(
  values: readonly number[],
  sorted: Float64Array,
  statistic: (values: readonly number[]) => number,
  level: number,
): readonly [number, number] | undefined {
  const acceleration = accelerationOf(values, statistic);
  if (acceleration === undefined) return undefined;
  const observed = statistic(values);
  // Samples that equal what was observed count half, or a statistic of few possible values would look biased.
  const below = sorted.findIndex((value) => value >= observed);
  const upTo = sorted.findIndex((value) => value > observed);
  const less = below === -1 ? sorted.length : below;
  const equal = (upTo === -1 ? sorted.length : upTo) - less;
  const bias = normalQuantile((less + equal / 2) / sorted.length);
  if (!Number.isFinite(bias)) return undefined;
  const shareFor = (p: number): number => {
    const z = bias + normalQuantile(p);
    return normalCdf(bias + z / (1 - acceleration * z));
  };
  return [shareFor((1 - level) / 2), shareFor((1 + level) / 2)];
}

/** How fast the standard error changes with the truth, by leaving out one value at a time. */
export function accelerationOf(
  values: readonly number[],
  statistic: (values: readonly number[]) => number = mean,
): number | undefined {
  if (values.length < 2) return undefined;
  const without = statistic === mean ? meansWithoutOne(values) : valuesWithoutOne(values, statistic);
  const middle = mean(without);
  let squares = 0;
  let cubes = 0;
  for (const value of without) {
    squares += (middle - value) ** 2;
    cubes += (middle - value) ** 3;
  }
  // Rounding alone gives a spread to values that are all the same.
  const isFlat = squares <= (Number.EPSILON * Math.abs(middle)) ** 2 * values.length * 16;
  return isFlat ? undefined : cubes / (6 * squares ** 1.5);
}

function meansWithoutOne(values: readonly number[]): number[] {
  const sum = mean(values) * values.length;
  return values.map((value) => (sum - value) / (values.length - 1));
}

function valuesWithoutOne(values: readonly number[], statistic: (values: readonly number[]) => number): number[] {
  return values.map((_, left) => statistic(values.filter((__, index) => index !== left)));
}
