import type { StopReason } from '@parley/session';
import { shortLine, shortReason } from '@parley/terminal';
import type { RunOutcome } from '../output/run-outcome.ts';
import type { DiffStat } from './worktrees.ts';

/** How one agent did. The names, and what a status means, are acpx's; scripts that read one read the other. */
export interface CompareRow {
  /** As it was named on the command line. */
  readonly agent: string;
  readonly status: CompareStatus;
  readonly stop_reason: StopReason | null;
  readonly wall_ms: number;
  readonly input_tokens: number | null;
  readonly output_tokens: number | null;
  readonly total_tokens: number | null;
  /** What the agent said, on one line, cut. */
  readonly final_message: string;
  readonly error: string | null;
  readonly permission_requests: number;
  readonly permission_denied: number;
  /** What the status is in the words of our exit codes: `agentDied`, `timeout`, `refusal`. */
  readonly exit: RunOutcome['exit'];
  /** With `--worktree`. */
  readonly diff?: DiffStat;
}

/** `cancelled` is a turn that did not come to its end: it took too long, or was stopped. */
export type CompareStatus = 'ok' | 'permission_denied' | 'cancelled' | 'error';

/** Longest message in a row. */
const MAX_MESSAGE_CHARACTERS = 200;

export function toRow(agent: string, outcome: RunOutcome, said: string, diff?: DiffStat): CompareRow {
  const { exit, stopReason, usage, permissions, durationMs, error } = outcome;
  return {
    agent,
    status: statusOf(outcome),
    stop_reason: stopReason ?? null,
    wall_ms: durationMs,
    input_tokens: usage?.inputTokens ?? null,
    output_tokens: usage?.outputTokens ?? null,
    total_tokens: usage?.totalTokens ?? null,
    final_message: shortLine(outcome.text || said, MAX_MESSAGE_CHARACTERS),
    error: error ? shortReason(error.message) : null,
    permission_requests: permissions.asked,
    permission_denied: permissions.asked - permissions.allowed,
    exit,
    ...(diff && { diff }),
  };
}

function statusOf({ exit, stopReason, permissions }: RunOutcome): CompareStatus {
  if (exit === 'denied') return 'permission_denied';
  if (stopReason === 'cancelled' || ['interrupted', 'terminated', 'timeout'].includes(exit)) return 'cancelled';
  if (stopReason === undefined) return 'error';
  return permissions.asked > permissions.allowed ? 'permission_denied' : 'ok';
}
