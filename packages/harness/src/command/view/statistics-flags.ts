import { readCount, readNumber, usageError } from '@parley/host/command-line';

/** What commands that judge by numbers are told. */
export interface StatisticsFlags {
  readonly level?: string;
  readonly seed?: string;
  readonly tie?: string;
  readonly baseline?: string;
}

export interface StatisticsSettings {
  readonly level?: number;
  readonly seed?: number;
  readonly tie?: number;
  readonly baseline?: string;
}

export function readStatistics(flags: StatisticsFlags): StatisticsSettings {
  const level = readNumber('--level', flags.level, { least: 0, most: 1 });
  if (level === 0 || level === 1) throw usageError(`--level lies between 0 and 1, not at ${level}.`, '--level 0.95');
  const seed = readCount('--seed', flags.seed, { min: 0, max: Number.MAX_SAFE_INTEGER });
  const tie = readNumber('--tie', flags.tie, { least: 0, most: 1 });
  return {
    ...(level !== undefined && { level }),
    ...(seed !== undefined && { seed }),
    ...(tie !== undefined && { tie }),
    ...(flags.baseline !== undefined && { baseline: flags.baseline }),
  };
}
