import type { SessionEvent } from '@parley/protocol';
import type { LoggedEvent, NewEvent, SessionLog } from '@parley/store';
import type { Meta } from './session.ts';

/** Kinds of log entries beside the events: where a turn begins and how it ends. No client sees them. */
const TURN_START = 'turn_start';
const TURN_END = 'turn_end';

/** Events that describe a moment, not the conversation: they are shown and never logged. */
const PASSING: ReadonlySet<string> = new Set(['commands', 'notice', 'state']);

export interface TurnEnd {
  readonly turnId: string;
  readonly stopReason?: string;
  readonly error?: { readonly code: number; readonly message: string };
}

export function turnStart(turnId: string, meta: Meta | undefined): NewEvent {
  return { kind: TURN_START, body: meta ? { turnId, meta } : { turnId } };
}

export function turnEnd(end: TurnEnd): NewEvent {
  return { kind: TURN_END, body: end };
}

export function isPassing(event: SessionEvent): boolean {
  return PASSING.has(event.type);
}

export interface ReadOptions {
  readonly log: SessionLog;
  readonly sessionId: string;
  readonly upTo: number;
  readonly signal?: AbortSignal | undefined;
}

/** The whole conversation as clients saw it. */
export async function* readEvents({ log, sessionId, upTo, signal }: ReadOptions): AsyncGenerator<SessionEvent> {
  if (upTo === 0) return;
  for await (const entry of log.read(sessionId, { upTo, signal })) {
    if (isEvent(entry)) yield entry.body;
  }
}

/** The conversation as a model should see it: without the turns that were refused. */
export async function* readHistory({ log, sessionId, upTo, signal }: ReadOptions): AsyncGenerator<SessionEvent> {
  if (upTo === 0) return;
  /** The events of the turn being read, held back until it is known how the turn ended. */
  let turn: SessionEvent[] | undefined;
  for await (const entry of log.read(sessionId, { upTo, signal })) {
    if (entry.kind === TURN_START) {
      if (turn) yield* turn;
      turn = [];
    } else if (entry.kind === TURN_END) {
      if (turn && (entry.body as TurnEnd).stopReason !== 'refusal') yield* turn;
      turn = undefined;
    } else if (isEvent(entry)) {
      if (turn) turn.push(entry.body);
      else yield entry.body;
    }
  }
  if (turn) yield* turn;
}

export function isEvent(entry: LoggedEvent): entry is LoggedEvent & { readonly body: SessionEvent } {
  const { kind, body } = entry;
  return kind !== TURN_START && kind !== TURN_END && (body as { readonly type?: unknown } | null)?.type === kind;
}
