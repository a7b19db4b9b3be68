import type { TokenUsage } from '@parley/client';
import type { ExitName } from '@parley/host/command-line';
import type { StopReason } from '@parley/session';

/** How a run ended: the last line of `--format json`. */
export interface RunOutcome {
  /** Grows when a field changes its meaning. */
  readonly schema: 1;
  readonly exit: ExitName;
  readonly exitCode: number;
  readonly agent: string;
  readonly sessionId?: string;
  readonly stopReason?: StopReason;
  /** What the agent said. */
  readonly text: string;
  readonly toolCalls: number;
  readonly failedToolCalls: number;
  readonly permissions: PermissionCounts;
  /** What was denied by a rule, a mode, or for want of somebody to ask. Absent when nothing was. */
  readonly denials?: readonly Denial[];
  readonly usage?: TokenUsage;
  readonly durationMs: number;
  readonly error?: { readonly code: string; readonly message: string; readonly next: readonly string[] };
}

export interface PermissionCounts {
  readonly asked: number;
  readonly allowed: number;
  readonly rejected: number;
}

/** Something that the agent was not allowed, without anybody having been asked. */
export interface Denial {
  /** What the agent wanted. */
  readonly title: string;
  /** What decided, in a sentence. */
  readonly because: string;
  /** Flags that would allow it, best first; empty where something forbids it. */
  readonly next: readonly string[];
}
