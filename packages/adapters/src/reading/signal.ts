import type { PlanEntry, ToolCallStatus } from '@parley/session';
import type { PermissionAnswers } from '../description/description.ts';

/** What a line of the command says, in our words. One line may say several things. */
export type Signal =
  | TextSignal
  | ToolCallSignal
  | { readonly type: 'plan'; readonly entries: readonly PlanEntry[] }
  | UsageSignal
  | { readonly type: 'error'; readonly message: string }
  | PermissionSignal
  | { readonly type: 'session'; readonly id: string }
  | { readonly type: 'model'; readonly model: string }
  | { readonly type: 'title'; readonly title: string }
  | { readonly type: 'notice'; readonly severity: string; readonly title: string; readonly description?: string }
  | ResultSignal;

export interface TextSignal {
  readonly type: 'message' | 'thought';
  readonly text: string;
  /** A piece of a message that is streamed; the whole of it may follow. */
  readonly isPiece: boolean;
  /** Tells messages apart. */
  readonly id?: string;
}

export interface ToolCallSignal {
  /** `tool_result` is the end of a call that was told before. */
  readonly type: 'tool_call' | 'tool_result';
  readonly id?: string;
  readonly name?: string;
  readonly title?: string;
  readonly kind?: string;
  readonly status?: ToolCallStatus;
  readonly input?: unknown;
  readonly output?: unknown;
  readonly content?: string;
  readonly locations?: readonly string[];
  readonly diff?: FileDiff;
}

export interface FileDiff {
  readonly path: string;
  readonly oldText?: string;
  readonly newText: string;
}

/** The kinds of tokens that command lines count. */
export const TOKEN_COUNTS = [
  'inputTokens',
  'outputTokens',
  'thoughtTokens',
  'cachedReadTokens',
  'cachedWriteTokens',
] as const;
export type TokenCount = (typeof TOKEN_COUNTS)[number];

export interface UsageSignal extends Readonly<Partial<Record<TokenCount, number>>> {
  readonly type: 'usage';
  /** Tokens are counted from the beginning of the session, and not of the turn. */
  readonly isTotal?: boolean;
  readonly used?: number;
  readonly size?: number;
  readonly cost?: number;
}

export interface PermissionSignal {
  readonly type: 'permission';
  readonly call: ToolCallSignal;
  readonly answers: PermissionAnswers;
  /** What the answer may repeat: all that was extracted, by name. */
  readonly values: Readonly<Record<string, unknown>>;
}

/** The end of the turn. */
export interface ResultSignal {
  readonly type: 'result';
  readonly text?: string;
  readonly isError: boolean;
  /** In the words of the command. */
  readonly stopReason?: string;
}

/** Takes what a line says. `source` is the index of its mapping, or `result`, `resume` or `passthrough`. */
export type SignalListener = (signal: Signal, source: SignalSource) => void;
export type SignalSource = number | 'result' | 'resume' | 'passthrough';

/**
 * Reads lines of the command, already parsed; returns whether anything in the description saw it. `onMatch` hears of what saw it,
 * also where nothing in the line was worth telling.
 */
export type LineReader = (line: unknown, listener: SignalListener, onMatch?: MatchListener) => boolean;
export type MatchListener = (source: SignalSource) => void;
