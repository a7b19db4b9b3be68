import type { AppendOutput, EncodedEvent, InboundRow, SessionKey } from '../backend/operations.ts';
import { StoreError } from '../contract/errors.ts';
import type { StoreLimits } from '../contract/limits.ts';
import { requireEpoch, requireName } from '../contract/require.ts';
import type { Appended, AppendOptions, NewEvent } from '../contract/session-log.ts';
import type { Published } from '../follow/tail.ts';
import { encodeEvent, encodeJson } from './encode.ts';
import type { LogContext } from './log-context.ts';
import { toInbound } from './to-record.ts';
import { OVERHEAD_BYTES } from './write-queue.ts';

export interface AppendEvents extends AppendOptions {
  readonly events: readonly NewEvent[];
}

/** Appends, and publishes to followers once that is committed. */
export async function appendEvents(context: LogContext, session: SessionKey, append: AppendEvents): Promise<Appended> {
  const { backend, followers, limits, queue, damaged } = context;
  const events = encodeEvents(context, append.events, append.isFinal);
  const epoch = requireEpoch(append.epoch);
  const isInput = append.isInput ?? false;
  if (isInput && epoch !== undefined) {
    throw new StoreError('invalid_input', 'An input is appended without an epoch; leave out one of the two.');
  }
  const once = append.once && encodeInbound(append.once, limits);
  const settle = append.settle && encodeInbound(append.settle, limits);
  return queue.run(weigh(events, once, settle), async () => {
    const doubt = damaged.doubt(session);
    if (doubt) await doubt;
    const output = await backend.call('append', { ...session, events, epoch, isInput, once, settle });
    const { num, first, last, repeated } = output;
    if (first <= last) followers.publish(session, { num, head: last }, () => toPublished(events, output));
    if (!once) return { first, last };
    const recorded = repeated ?? (settle?.key === once.key ? settle : once);
    return { first, last, inbound: { ...toInbound(recorded), isRepeated: repeated !== null } };
  });
}

export function encodeEvents(
  { backend, limits }: Pick<LogContext, 'backend' | 'limits'>,
  events: readonly NewEvent[],
  isFinal = false,
): EncodedEvent[] {
  const { keepsCopies = false, byteLength } = backend;
  const encoding = { maxBytes: limits.maxEventBytes, keepsCopies, isFinal, byteLength };
  return events.map((event) => encodeEvent(event, encoding));
}

/** The size of the events that wait to be written, in bytes. */
export function weigh(events: readonly EncodedEvent[], ...inbound: readonly (InboundRow | undefined)[]): number {
  const outcomes = inbound.reduce((sum, row) => sum + (row?.outcomeJson?.length ?? 0), 0);
  return events.reduce((sum, { bytes, kind }) => sum + bytes + kind.length + OVERHEAD_BYTES, outcomes);
}

function encodeInbound(
  { key, outcome }: { readonly key: string; readonly outcome?: unknown },
  limits: StoreLimits,
): InboundRow {
  const outcomeJson = outcome === undefined ? null : encodeJson('An outcome', outcome, limits.maxEventBytes);
  return { key: requireName('A key', key), outcomeJson };
}

/** Followers get events parsed from the committed text, once for all of them: the caller may go on changing its own objects. */
function toPublished(
  events: readonly EncodedEvent[],
  { first, epoch, timeMs: appendedAtMs }: AppendOutput,
): Published[] {
  return events.map(({ kind, json, bytes, timeMs = appendedAtMs }, index) => ({
    event: { seq: first + index, epoch, timeMs, kind, body: JSON.parse(json) as unknown },
    bytes,
  }));
}
