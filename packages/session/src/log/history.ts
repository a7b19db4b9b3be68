import type { SessionLog } from '@parley/store';
import { type LogEntry, mayTellEnd, readEntry, readEvent, shownBy, type TurnEnded } from '../entry.ts';
import type { SessionEvent } from '../event.ts';
import { readKept } from './read-kept.ts';
import { Unfinished } from './unfinished.ts';

export interface ReadOptions {
  readonly log: SessionLog;
  readonly sessionId: string;
  readonly upTo: number;
  /** The last sequence number that the reader has. Default: 0, for all that is kept. */
  readonly after?: number | undefined;
  readonly signal?: AbortSignal | undefined;
}

export interface ReadEventsOptions extends ReadOptions {
  /** Whether the last turn goes on; if not, and nothing tells of its end, its process was lost. */
  readonly isRunning: boolean;
}

/** An event and its place in the log; one that only stands for what a lost process did not say has no place. */
export interface NumberedEvent {
  readonly event: SessionEvent;
  readonly seq: number | undefined;
}

/**
 * The conversation as clients saw it, and where turns began and ended. What a lost process left unfinished is shown as ended, where that could not be written
 * into the log: nobody will end it. Fails with `cursor_expired` where what follows the cursor is no longer kept; what is dropped later, while it is
 * read, is passed over.
 */
export async function* readEvents(options: ReadEventsOptions): AsyncGenerator<NumberedEvent> {
  const { log, sessionId, after = 0, upTo, signal, isRunning } = options;
  if (upTo <= after) return;
  const unfinished = new Unfinished();
  for await (const logged of readKept(log, sessionId, { after, upTo, signal, isStrict: true })) {
    const entry = readEntry(logged);
    if (!entry) continue;
    if (isStart(entry)) yield* unfinished.close().map(withoutPlace);
    if (isStart(entry) || (entry.type === 'turn_ended' && !entry.neverBegan)) unfinished.forget();
    if (entry.type === 'event') unfinished.see(entry.event);
    if (entry.type === 'event') yield { event: entry.event, seq: logged.seq };
    else for (const event of shownBy(entry)) yield { event, seq: logged.seq };
  }
  if (!isRunning) yield* unfinished.close().map(withoutPlace);
}

function isStart({ type }: LogEntry): boolean {
  return type === 'turn_started' || type === 'turns_dropped';
}

/** The conversation as a model should see it: without the turns that were refused, and the prompts that nobody ran. */
export async function* readHistory({ log, sessionId, upTo, signal }: ReadOptions): AsyncGenerator<SessionEvent> {
  if (upTo === 0) return;
  /** The events of the turn being read, held back until it is known how the turn ended. */
  let turn: SessionEvent[] | undefined;
  for await (const logged of readKept(log, sessionId, { upTo, signal })) {
    const event = readEvent(logged);
    if (event) {
      if (turn) turn.push(event);
      else yield event;
      continue;
    }
    const entry = readEntry(logged);
    if (entry?.type === 'turn_started') {
      if (turn) yield* turn;
      turn = [];
    } else if (entry?.type === 'turn_ended' && !entry.neverBegan) {
      if (turn && entry.stopReason !== 'refusal' && !isAbandoned(entry)) yield* turn;
      turn = undefined;
    } else if (entry?.type === 'turns_dropped') yield* entry.state;
  }
  if (turn) yield* turn;
}

function isAbandoned({ error }: TurnEnded): boolean {
  return (error?.data as { readonly reason?: unknown } | undefined)?.reason === 'prompt_abandoned';
}

function withoutPlace(event: SessionEvent): NumberedEvent {
  return { event, seq: undefined };
}

/** The turn that a prompt became part of, or has of its own, and how that ended, as far as the log tells it, or still does. Reads the whole log. */
export async function findPrompt(options: {
  readonly log: SessionLog;
  readonly sessionId: string;
  readonly promptId: string;
}): Promise<{ readonly turnId: string; readonly end: TurnEnded | undefined }> {
  let turnId = options.promptId;
  for await (const logged of readKept(options.log, options.sessionId, {})) {
    if (!mayTellEnd(logged)) continue;
    const entry = readEntry(logged);
    if (entry?.type === 'turn_ended' && entry.turnId === turnId) return { turnId, end: entry };
    if (entry?.type === 'input_taken' && entry.promptId === turnId) turnId = entry.turnId ?? turnId;
  }
  return { turnId, end: undefined };
}
