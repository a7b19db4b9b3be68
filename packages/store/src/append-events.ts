import type { LogContext } from './create-session-log.ts';
import { encodeEvent, encodeJson, requireName } from './encode.ts';
import { StoreError } from './errors.ts';
import type { StoreLimits } from './limits.ts';
import type { EncodedEvent, InboundRow, SessionKey } from './operations.ts';
import type { Appended, AppendOptions, NewEvent } from './session-log.ts';
import type { Published } from './tail.ts';
import { toInbound } from './to-record.ts';

export interface AppendEvents extends AppendOptions {
  readonly events: readonly NewEvent[];
}

/** Appends, and publishes to followers once that is committed. */
export async function appendEvents(context: LogContext, session: SessionKey, append: AppendEvents): Promise<Appended> {
  const { backend, followers, limits, queued } = context;
  const { epoch, once, settle } = append;
  const nowMs = context.now();
  const encoding = { maxBytes: limits.maxEventBytes, nowMs, keepsCopies: backend.keepsCopies ?? false };
  const events = append.events.map((event) => encodeEvent(event, encoding));
  const bytes = events.reduce((sum, event) => sum + event.bytes, 0);
  if (queued.bytes > 0 && queued.bytes + bytes > limits.maxQueuedBytes) {
    throw new StoreError(
      'store_overloaded',
      `More than ${limits.maxQueuedBytes} bytes of events wait to be written; wait for earlier appends before the next.`,
    );
  }
  queued.bytes += bytes;
  try {
    const output = await backend.call('append', {
      ...session,
      events,
      epoch,
      once: once && encodeInbound(once, limits),
      settle: settle && encodeInbound(settle, limits),
      nowMs,
    });
    const { first, last, repeated } = output;
    if (first <= last) followers.publish(session, () => toPublished(events, output));
    if (!once) return { first, last };
    const inbound = repeated ? toInbound(repeated) : { key: once.key, outcome: once.outcome };
    return { first, last, inbound: { ...inbound, isRepeated: repeated !== null } };
  } finally {
    queued.bytes -= bytes;
  }
}

function encodeInbound(
  { key, outcome }: { readonly key: string; readonly outcome?: unknown },
  limits: StoreLimits,
): InboundRow {
  const outcomeJson = outcome === undefined ? null : encodeJson('An outcome', outcome, limits.maxEventBytes);
  return { key: requireName('A key', key), outcomeJson };
}

/** What followers get is parsed from the committed text, once for all: the caller may go on changing its own objects. */
function toPublished(
  events: readonly EncodedEvent[],
  { first, epoch }: { readonly first: number; readonly epoch: number },
): Published[] {
  return events.map(({ kind, json, bytes, timeMs }, index) => ({
    event: { seq: first + index, epoch, timeMs, kind, body: JSON.parse(json) as unknown },
    bytes,
  }));
}
