import type { Followers } from './followers.ts';
import type { StoreLimits } from './limits.ts';
import type { Backend, SessionKey } from './operations.ts';
import type { LoggedEvent } from './session-log.ts';

/** Where events are read from. */
export interface EventSource {
  readonly backend: Backend;
  readonly session: SessionKey;
  readonly limits: StoreLimits;
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
  let cursor = options.after;
  let end = options.upTo ?? Number.POSITIVE_INFINITY;
  while (cursor < end) {
    signal?.throwIfAborted();
    const { events, head } = await readPage(source, cursor);
    end = Math.min(end, head);
    for (const event of events) {
      if (event.seq > end) return;
      signal?.throwIfAborted();
      yield event;
      cursor = event.seq;
    }
  }
}

/**
 * Reads and then follows, in one loop: events come from the shared tail when it reaches back to the cursor, else from
 * the log, and when there are none it waits for the next change.
 */
export async function* followEvents(source: EventSource, options: FollowEventsOptions): AsyncGenerator<LoggedEvent> {
  const { followers, signal } = options;
  const tail = followers.join(source.session);
  let cursor = options.after;
  try {
    while (!signal?.aborted) {
      const { revision } = tail;
      const events = tail.after(cursor) ?? (await readPage(source, cursor)).events;
      for (const event of events) {
        if (signal?.aborted) return;
        yield event;
        cursor = event.seq;
      }
      if (events.length === 0) await tail.change(revision, signal);
    }
  } finally {
    followers.leave(source.session);
  }
}

interface Page {
  readonly events: readonly LoggedEvent[];
  readonly head: number;
}

type EventTuple = readonly [seq: number, epoch: number, timeMs: number, kind: string, body: unknown];

async function readPage({ backend, session, limits }: EventSource, after: number): Promise<Page> {
  const { maxPageEvents: maxEvents, maxPageBytes: maxBytes } = limits;
  const { json, head } = await backend.call('page', { ...session, after, maxEvents, maxBytes });
  const tuples = JSON.parse(json) as readonly EventTuple[];
  return { events: tuples.map(([seq, epoch, timeMs, kind, body]) => ({ seq, epoch, timeMs, kind, body })), head };
}
