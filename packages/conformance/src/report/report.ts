import type { CheckFacts, Level, Outcome } from '../check.ts';
import type { Protocol } from '../versions/protocol.ts';

/** What one check found. */
export interface CheckResult extends CheckFacts {
  readonly outcome: Outcome;
  /** Why it did not pass, or could not be told. */
  readonly reason?: string;
  readonly expected?: string;
  readonly got?: string;
  /** The frames that show it, one per line. */
  readonly wire?: readonly string[];
  readonly durationMs: number;
  /** The command that runs this check alone. */
  readonly repro: string;
  /** The outcome of each repetition, when there were several. */
  readonly rounds?: readonly Outcome[];
}

/** The result of many checks. It is plain data: `--json` prints exactly this. */
export interface Report {
  readonly format: 'parley-check/1';
  /** Who was checked. */
  readonly role: 'agent' | 'client';
  /** How they were reached: a command or an address. */
  readonly target: string;
  /** What they call themselves. */
  readonly name?: string;
  readonly version?: string;
  /** The version that was checked. */
  readonly protocolVersion: Protocol;
  readonly startedAt: string;
  readonly durationMs: number;
  readonly repeat: number;
  readonly results: readonly CheckResult[];
}

/** Passed out of applicable, for one level. */
export interface Score {
  readonly passed: number;
  readonly applicable: number;
}

export const LEVELS: readonly Level[] = ['MUST', 'SHOULD', 'MAY', 'ROBUST'];

/** Outcomes in the order in which a reader wants them. */
export const OUTCOMES: readonly Outcome[] = [
  'fail',
  'flaky',
  'warn',
  'needs_authentication',
  'not_provoked',
  'skipped',
  'not_applicable',
  'pass',
];

const JUDGED: readonly Outcome[] = ['pass', 'fail', 'warn', 'flaky'];

export function scoreOf({ results }: Report, level: Level): Score {
  const judged = results.filter((result) => result.level === level && JUDGED.includes(result.outcome));
  return { passed: judged.filter(({ outcome }) => outcome === 'pass').length, applicable: judged.length };
}

export function countOf({ results }: Report, outcome: Outcome): number {
  return results.filter((result) => result.outcome === outcome).length;
}

/** Whether anything could be told at all. */
export function hasJudged({ results }: Report): boolean {
  return results.some(({ outcome }) => JUDGED.includes(outcome));
}

/** Whether a rule that binds is broken, at least sometimes. */
export function hasFailed({ results }: Report): boolean {
  return results.some(({ outcome, level }) => outcome === 'fail' || (outcome === 'flaky' && level === 'MUST'));
}
