import type { AvailableCommand, SessionConfigOption, SessionMode } from '@parley/protocol';
import type { PlanEvent, SubagentEvent } from '../event.ts';
import type { PlanEntry, StopReason } from '../parts.ts';
import type { Question } from '../question.ts';
import type { Entry } from './entry.ts';
import { KeyIndex } from './key-index.ts';
import { List } from './list.ts';

/** Everything a session has said and is doing: the fold of all its events. Immutable; each event makes a new one. */
export interface Transcript {
  /** The conversation, in order. */
  readonly entries: List<Entry>;
  /** Prompts of this client and how they ended. */
  readonly turns: List<TurnRecord>;
  readonly terminals: List<TerminalRecord>;
  /** The steps of the plan that was told last. */
  readonly plan: readonly PlanEntry[];
  /** Every plan, in the order in which they were first told. */
  readonly plans: readonly PlanRecord[];
  readonly commands: readonly AvailableCommand[];
  /** The mode the session is in, and those it may be put into. Agents that only have config options have none here. */
  readonly mode: ModeState | undefined;
  readonly options: readonly SessionConfigOption[];
  readonly title: string | undefined;
  readonly updatedAt: string | undefined;
  /** A plan that is no list of steps. Unstable. */
  readonly planDocument: PlanEvent['document'];
  /** The sessions that this one has made, as it tells of them. Unstable. */
  readonly subagents: readonly SubagentRecord[];
  readonly usage: ContextUsage | undefined;
  /** What is going on now; see `SessionState`. */
  readonly state: SessionState;
  /** What the agent asked and nobody has answered yet. */
  readonly questions: readonly Question[];
  /** True while the agent tells an old conversation again. */
  readonly isReplaying: boolean;
  /** Bookkeeping of the fold; not for views. */
  readonly folding: Folding;
}

/**
 * `idle`: ready for a prompt. `running`: the agent works. `waiting`: it waits for an answer of the person.
 * `cancelling`: it was asked to stop and has not yet. `lost`: the connection is gone.
 */
export type SessionState = 'idle' | 'running' | 'waiting' | 'cancelling' | 'lost';

export interface TurnRecord {
  readonly status: 'running' | 'cancelling' | 'ended' | 'failed';
  /** Where its entries begin. */
  readonly firstEntry: number;
  readonly stopReason?: StopReason;
  readonly usage?: TokenUsage;
  /** `_meta` of the agent's answer. */
  readonly meta?: Readonly<Record<string, unknown>>;
  /** Why it failed, in a sentence. */
  readonly error?: string;
  readonly startedAt?: number;
  readonly endedAt?: number;
}

/** A plan as it stands. Agents that have one plan need no id for it. */
export interface PlanRecord {
  readonly planId?: string;
  readonly entries: readonly PlanEntry[];
  /** What it is instead of a list of steps. Unstable. */
  readonly document?: PlanEvent['document'];
}

/** A terminal and what it has shown, kept after the terminal itself is gone. */
export interface TerminalRecord {
  readonly terminalId: string;
  readonly command?: string;
  readonly cwd?: string;
  readonly output: string;
  /** True when the beginning of the output was left out because there was too much. */
  readonly isTruncated: boolean;
  readonly exit?: { readonly exitCode?: number | null; readonly signal?: string | null };
  readonly size?: { readonly cols: number; readonly rows: number };
  /** Whether the agent lets it be ended while the turn goes on. */
  readonly canCancel?: boolean;
  readonly meta?: Readonly<Record<string, unknown>>;
}

export interface ModeState {
  readonly currentModeId: string;
  readonly availableModes: readonly SessionMode[];
}

/** What is known of a session that another one has made. */
export type SubagentRecord = Omit<SubagentEvent, 'type' | 'meta'>;

export interface ContextUsage {
  readonly used: number;
  readonly size: number;
  readonly cost?: { readonly amount: number; readonly currency: string };
}

/** Tokens that one turn has used. */
export interface TokenUsage {
  readonly totalTokens: number;
  readonly inputTokens: number;
  readonly outputTokens: number;
  readonly thoughtTokens?: number;
  readonly cachedReadTokens?: number;
  readonly cachedWriteTokens?: number;
}

export interface Folding {
  readonly entryIndex: KeyIndex;
  readonly terminalIndex: KeyIndex;
  /** Text of the prompt that the agent has not echoed yet; while some is left, an echo is not a new message. */
  readonly unechoed: string;
  /** Where the user last said something, in a replay. */
  readonly lastUserEntry: number;
}

export function createTranscript(): Transcript {
  return {
    entries: List.empty(),
    turns: List.empty(),
    terminals: List.empty(),
    plan: [],
    plans: [],
    planDocument: undefined,
    subagents: [],
    commands: [],
    mode: undefined,
    options: [],
    title: undefined,
    updatedAt: undefined,
    usage: undefined,
    state: 'idle',
    questions: [],
    isReplaying: false,
    folding: { entryIndex: KeyIndex.create(), terminalIndex: KeyIndex.create(), unechoed: '', lastUserEntry: 0 },
  };
}

/** The tokens of all turns together, as far as the agent told them; undefined when it told none. */
export function sumTokens({ turns }: Transcript): TokenUsage | undefined {
  let sum: Record<keyof TokenUsage, number> | undefined;
  for (const { usage } of turns) {
    if (!usage) continue;
    sum ??= { totalTokens: 0, inputTokens: 0, outputTokens: 0 } as Record<keyof TokenUsage, number>;
    for (const kind of Object.keys(usage) as (keyof TokenUsage)[]) sum[kind] = (sum[kind] ?? 0) + (usage[kind] ?? 0);
  }
  return sum;
}
