import { usageError } from '@parley/host/command-line';
import type { KeptTurns } from '@parley/session/log';
import type { Command } from 'commander';

export interface KeepFlags {
  readonly keepTurns?: string;
  readonly keepDays?: string;
  readonly archive?: string;
  readonly dryRun?: boolean;
}

const DAY_MS = 24 * 60 * 60 * 1000;

export function addKeepFlags(command: Command): Command {
  return command
    .option('--keep-turns <n>', 'delete all turns of a session but the last ones')
    .option('--keep-days <days>', 'delete turns that are older; the last one stays')
    .option('--archive <dir>', 'first write each session to this folder, as `export` does')
    .option('--dry-run', 'only show which');
}

/** Which turns the flags keep; undefined when they say nothing of turns. */
export function readKept({ keepTurns, keepDays }: KeepFlags): KeptTurns | undefined {
  if (keepTurns === undefined && keepDays === undefined) return undefined;
  const turns = Number(keepTurns ?? 1);
  if (!Number.isSafeInteger(turns) || turns < 1)
    throw usageError(`--keep-turns is a number of turns from 1 on, not "${keepTurns}".`);
  const days = Number((keepDays ?? '0').replace(/d$/, ''));
  if (!Number.isFinite(days) || days < 0) throw usageError(`--keep-days is a number of days, not "${keepDays}".`);
  return {
    ...(keepTurns !== undefined && { turns }),
    ...(keepDays !== undefined && { sinceMs: Date.now() - days * DAY_MS }),
  };
}
