import { normalQuantile } from './normal.ts';
import type { Tries } from './pass-at-k.ts';

/** Between which values the truth is expected, and how that was found out. */
export interface Interval {
  readonly low: number;
  readonly high: number;
  /** 0.95: of a hundred such intervals, ninety-five hold the truth. */
  readonly level: number;
  readonly method: 'wilson' | 'bca' | 'percentile';
}

export const DEFAULT_LEVEL = 0.95;

/**
 * The score interval of a proportion (Wilson 1927): for trials that have nothing to do with each other. It holds for few
 * trials and for rates near 0 and 1, where the textbook interval has no width. Undefined for no trial.
 */
export function wilsonInterval({ passes, trials }: Tries, level: number = DEFAULT_LEVEL): Interval | undefined {
  if (trials === 0) return undefined;
  const z = normalQuantile((1 + checkedLevel(level)) / 2);
  const rate = passes / trials;
  const shrink = 1 + (z * z) / trials;
  const middle = (rate + (z * z) / (2 * trials)) / shrink;
  const half = (z / shrink) * Math.sqrt((rate * (1 - rate)) / trials + (z * z) / (4 * trials * trials));
  return {
    low: passes === 0 ? 0 : Math.max(0, middle - half),
    high: passes === trials ? 1 : Math.min(1, middle + half),
    level,
    method: 'wilson',
  };
}

export function checkedLevel(level: number): number {
  if (!(level > 0 && level < 1))
    throw new RangeError(`The level ${level} of an interval: it is between 0 and 1, like 0.95.`);
  return level;
}
