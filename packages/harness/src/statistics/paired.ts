import { type BootstrapOptions, bootstrapInterval } from './bootstrap.ts';
import type { Interval } from './interval.ts';
import { mean } from './quantiles.ts';
import { createRandom, DEFAULT_SEED } from './random.ts';

export interface PermutationTest {
  /** How likely a difference as large as this is, in either direction, when neither is better. */
  readonly p: number;
  /** `exact`: every way of swapping was looked at; `sampled`: as many of them as `permutations` says. */
  readonly method: 'exact' | 'sampled';
  readonly permutations: number;
}

export interface PermutationOptions {
  readonly seed?: number;
  /** How many ways of swapping are drawn where there are too many to look at all. Default: 10,000; fewer of over 2000 pairs. */
  readonly permutations?: number;
}

export const DEFAULT_PERMUTATIONS = 10_000;

/** Up to this many pairs that differ, all 2^n ways of swapping are looked at. */
const MAX_EXACT_PAIRS = 18;

/** Of very many pairs fewer ways are drawn, so that a test takes a fraction of a second. */
const MAX_DRAWN_SIGNS = 20_000_000;

/**
 * Whether paired differences lie around zero: under the null hypothesis each could as well have the other sign (Fisher 1935).
 * Pairs without a difference tell nothing and are left out.
 */
export function permutationTest(differences: readonly number[], options: PermutationOptions = {}): PermutationTest {
  const { seed = DEFAULT_SEED } = options;
  const told = differences.filter((difference) => difference !== 0);
  if (told.length === 0) return { p: 1, method: 'exact', permutations: 1 };
  const size = Math.abs(told[0] ?? 0);
  if (told.every((difference) => Math.abs(difference) === size)) {
    return { p: signTest(told), method: 'exact', permutations: 2 ** told.length };
  }
  if (told.length <= MAX_EXACT_PAIRS) return exactTest(told);
  const affordable = Math.max(DEFAULT_PERMUTATIONS / 10, Math.floor(MAX_DRAWN_SIGNS / told.length));
  return sampledTest(told, options.permutations ?? Math.min(DEFAULT_PERMUTATIONS, affordable), seed);
}

/** All sums by changing one sign at a time, in the order of a Gray code. */
function exactTest(differences: readonly number[]): PermutationTest {
  const observed = Math.abs(sum(differences)) - tolerance(differences);
  const total = 2 ** differences.length;
  const signed = differences.map(Math.abs);
  let current = sum(signed);
  let extreme = Math.abs(current) >= observed ? 1 : 0;
  for (let step = 1; step < total; step++) {
    const flipped = 31 - Math.clz32(step & -step);
    const value = signed[flipped] ?? 0;
    current -= 2 * value;
    signed[flipped] = -value;
    if (Math.abs(current) >= observed) extreme++;
  }
  return { p: extreme / total, method: 'exact', permutations: total };
}

/** What was observed counts as one of the drawn, so that p is never 0 (Phipson and Smyth 2010). */
function sampledTest(differences: readonly number[], permutations: number, seed: number): PermutationTest {
  const random = createRandom(seed);
  const tables = differences.length / BITS_OF_TABLE;
  const sums = signedSums(differences);
  const bits = new Uint32Array(Math.ceil(tables / 4));
  const bytes = new Uint8Array(bits.buffer);
  const observed = Math.abs(sum(differences)) - tolerance(differences);
  let extreme = 1;
  for (let permutation = 0; permutation < permutations; permutation++) {
    random.fill(bits);
    let drawn = 0;
    for (let table = 0; table < tables; table++) drawn += sums[table * 256 + (bytes[table] as number)] as number;
    if (Math.abs(drawn) >= observed) extreme++;
  }
  return { p: extreme / (permutations + 1), method: 'sampled', permutations };
}

const BITS_OF_TABLE = 8;

/** For every eight differences the sums of their 256 ways of sign, so that a byte of luck decides on eight at once. */
function signedSums(differences: readonly number[]): Float64Array {
  const tables = Math.ceil(differences.length / BITS_OF_TABLE);
  const sums = new Float64Array(tables * 256);
  for (let table = 0; table < tables; table++) {
    for (let signs = 0; signs < 256; signs++) {
      let total = 0;
      for (let bit = 0; bit < BITS_OF_TABLE; bit++) {
        const value = differences[table * BITS_OF_TABLE + bit] ?? 0;
        total += (signs >> bit) & 1 ? value : -value;
      }
      sums[table * 256 + signs] = total;
    }
  }
  return sums;
}

/** For differences of one size, the same test is the sign test: a fair coin, thrown as often as there are pairs. */
function signTest(differences: readonly number[]): number {
  const count = differences.length;
  const wins = differences.filter((difference) => difference > 0).length;
  const fewer = Math.min(wins, count - wins);
  let term = -count * Math.LN2;
  let tail = 0;
  for (let k = 0; k <= fewer; k++) {
    tail += Math.exp(term);
    term += Math.log((count - k) / (k + 1));
  }
  return Math.min(1, 2 * tail);
}

export interface PairedComparison {
  /** Tasks that both have. */
  readonly pairs: number;
  /** Tasks on which the first is better, the second is better, and neither is. */
  readonly wins: number;
  readonly losses: number;
  readonly ties: number;
  /** Mean of first minus second. */
  readonly difference: number;
  readonly interval: Interval;
  readonly test: PermutationTest;
}

export interface PairedOptions extends PermutationOptions, Omit<BootstrapOptions, 'statistic'> {
  /** Differences up to this size are ties. Default: 0. */
  readonly tie?: number;
}

/** Two runs over the same tasks, one value for each task; undefined without a task. Higher is better. */
export function comparePaired(
  first: readonly number[],
  second: readonly number[],
  options: PairedOptions = {},
): PairedComparison | undefined {
  if (first.length !== second.length) {
    throw new RangeError(
      `${first.length} values against ${second.length}: a paired comparison has one of each for a task.`,
    );
  }
  const { tie = 0 } = options;
  const differences = first.map((value, index) => value - (second[index] ?? 0));
  const interval = bootstrapInterval(differences, options);
  if (interval === undefined) return undefined;
  const wins = differences.filter((difference) => difference > tie).length;
  const losses = differences.filter((difference) => difference < -tie).length;
  return {
    pairs: differences.length,
    wins,
    losses,
    ties: differences.length - wins - losses,
    difference: mean(differences),
    interval,
    test: permutationTest(differences, options),
  };
}

/** Sums of the same numbers in another order differ in their last digits. */
function tolerance(values: readonly number[]): number {
  return sum(values.map(Math.abs)) * 1e-12;
}

function sum(values: readonly number[]): number {
  let total = 0;
  for (const value of values) total += value;
  return total;
}
