import type { Backend, SessionKey } from '../backend/operations.ts';
import { startAfter } from '../backend/rules.ts';
import { quote, SessionNotFoundError, StoreError } from '../contract/errors.ts';
import type { StoreLimits } from '../contract/limits.ts';
import type { LoggedEvent } from '../contract/session-log.ts';
import type { Followers } from '../follow/followers.ts';
import { type DamagedSessions, isDamage } from './damaged-sessions.ts';
import { parseStored } from './to-record.ts';

/** Where events are read from. */
export interface EventSource {
  readonly backend: Backend;
  readonly session: SessionKey;
  readonly limits: StoreLimits;
  readonly damaged: DamagedSessions;
}

export interface ReadEventsOptions {
  readonly after: number;
  readonly upTo: number | undefined;
  readonly signal: AbortSignal | undefined;
}

export interface FollowEventsOptions {
  readonly after: number;
  readonly followers: Followers;
  readonly signal: AbortSignal | undefined;
}

/** Reads page by page up to the head that the first page showed. */
export async function* readEvents(source: EventSource, options: ReadEventsOptions): AsyncGenerator<LoggedEvent> {
  const { signal } = options;
  let num: number | undefined;
  let cursor = options.after;
  let end = options.upTo ?? Number.POSITIVE_INFINITY;
  do {
    signal?.throwIfAborted();
    const page = await readPage(source, cursor, num);
    num = page.num;
    cursor = page.after;
    end = Math.min(end, page.head);
    for (const event of page.events) {
      if (event.seq > end) return;
      signal?.throwIfAborted();
      yield event;
      cursor = event.seq;
    }
  } while (cursor < end);
}

/**
 * Reads and then follows, in one loop: events come from the shared tail when it reaches back to the cursor, else from
 * the log. The log is left alone when it can hold nothing that the tail did not show.
 */
export async function* followEvents(source: EventSource, options: FollowEventsOptions): AsyncGenerator<LoggedEvent> {
  const { followers, signal } = options;
  const tail = followers.join(source.session);
  let num: number | undefined;
  let cursor = options.after;
  /** Up to here the log was read to its end. */
  let lookedAt = -1;
  try {
    while (!signal?.aborted) {
      const { revision, looks } = tail;
      let events = num === undefined ? undefined : tail.after(num, cursor);
      if (!events) {
        if (num !== undefined && lookedAt === looks && tail.endsAt(num, cursor)) {
          await tail.change(revision, signal);
          continue;
        }
        const page = await readPage(source, cursor, num);
        num = page.num;
        cursor = page.after;
        events = page.events;
        if (page.head === (events.at(-1)?.seq ?? cursor)) lookedAt = looks;
      }
      for (const event of events) {
        if (signal?.aborted) return;
        yield event;
        cursor = event.seq;
      }
    }
  } finally {
    followers.leave(source.session);
  }
}

interface Page {
  readonly num: number;
  /** The event before the first. */
  readonly after: number;
  readonly events: readonly LoggedEvent[];
  readonly head: number;
}

type EventTuple = readonly [seq: number, epoch: number, timeMs: number, kind: string, body: unknown];

async function readPage(source: EventSource, after: number, expectedNum: number | undefined): Promise<Page> {
  try {
    return await readSoundPage(source, after, expectedNum);
  } catch (error) {
    if (isDamage(error)) source.damaged.note(source.session, () => readSoundPage(source, after, undefined));
    if (expectedNum !== undefined && error instanceof StoreError && error.code === 'cursor_ahead') {
      // Another session that was given the id is shorter than the one that was read.
      const [found] = await source.backend.call('heads', { sessions: [source.session] });
      if (found?.num !== expectedNum) throw new SessionNotFoundError(source.session.sessionId);
    }
    throw error;
  }
}

/** One page after a cursor. A session that was removed stays so for its readers, though its id be used again. */
async function readSoundPage(source: EventSource, after: number, expectedNum: number | undefined): Promise<Page> {
  const { backend, session, limits } = source;
  const { maxPageEvents: maxEvents, maxPageBytes: maxBytes } = limits;
  const { num, head, trimmedTo, json } = await backend.call('page', { ...session, after, maxEvents, maxBytes });
  if (expectedNum !== undefined && num !== expectedNum) throw new SessionNotFoundError(session.sessionId);
  const what = (): string => `The events of session ${quote(session.sessionId)} after ${after}`;
  const tuples = parseStored(what, json) as readonly EventTuple[];
  const start = startAfter({ trimmedTo }, after);
  const isDense = tuples.every(([seq], index) => seq === start + index + 1);
  if (!isDense || (tuples.length === 0 && head > start)) {
    throw new StoreError(
      'store_corrupt',
      `${what()} are not all there; restore a copy of the store, or read only up to there.`,
    );
  }
  const events = tuples.map(([seq, epoch, timeMs, kind, body]) => ({ seq, epoch, timeMs, kind, body }));
  return { num, after: start, events, head };
}
