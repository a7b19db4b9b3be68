import type { SessionEvent } from '@parley/session';
import type { LoggedEvent, NewEvent, SessionLog } from '@parley/store';
import type { Meta } from '../session/session.ts';
import { OpenEnds } from './unfinished.ts';

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

export function isTurnStart({ kind }: LoggedEvent): boolean {
  return kind === TURN_START;
}

export function isTurnEnd({ kind }: LoggedEvent): boolean {
  return kind === TURN_END;
}

export function turnIdOf({ body }: LoggedEvent): string {
  const { turnId } = (body ?? {}) as { readonly turnId?: unknown };
  return typeof turnId === 'string' ? turnId : '';
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

export interface ReadEventsOptions extends ReadOptions {
  /** Whether the last turn goes on; if not, and nothing tells of its end, its process was lost. */
  readonly isRunning: boolean;
}

/**
 * The whole conversation as clients saw it. What a lost process left open is shown as ended, where that could not be
 * written into the log: nobody will end it.
 */
export async function* readEvents(options: ReadEventsOptions): AsyncGenerator<SessionEvent> {
  const { log, sessionId, upTo, signal, isRunning } = options;
  if (upTo === 0) return;
  const openEnds = new OpenEnds();
  for await (const entry of log.read(sessionId, { upTo, signal })) {
    if (isTurnStart(entry)) yield* openEnds.close();
    if (isTurnStart(entry) || isTurnEnd(entry)) openEnds.forget();
    if (!isEvent(entry)) continue;
    openEnds.see(entry.body);
    yield entry.body;
  }
  if (!isRunning) yield* openEnds.close();
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
