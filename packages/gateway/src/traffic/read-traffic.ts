import { setTimeout as wait } from 'node:timers/promises';
import {
  createPairing,
  type MessageEntry,
  type Pairing,
  sessionOf,
  type TracedMessage,
  type TraceEntry,
  withoutSecrets,
} from '@parley/session/traces';
import type { TrafficBatch, TrafficEntry, TrafficQuery } from './traffic-options.ts';
import type { Passed, TrafficRing } from './traffic-ring.ts';

/** Most entries that are looked through at once: whatever else goes on must not wait for a reader. */
const MAX_BATCH = 200;
/** What passes within this time is told together. */
const PAUSE_MS = 40;

/** Reads what has passed and what passes, cleaned of secrets. It pulls: a slow reader slows down nobody, and misses what is forgotten. */
export async function* readTraffic(
  ring: TrafficRing,
  { signal, agent, sessionId, after = 0 }: TrafficQuery,
  secrets: readonly string[],
): AsyncGenerator<TrafficBatch> {
  const pairing = createPairing<string | undefined>();
  // A number that has not been reached is from before this gateway was started.
  const from = after < ring.nextSeq ? after + 1 : 1;
  let next = 1;
  while (!signal.aborted) {
    const passed = ring.from(next, MAX_BATCH);
    const [first] = passed;
    if (!first) {
      await ring.changed(signal);
      await wait(PAUSE_MS, undefined, { signal }).catch(() => {});
      continue;
    }
    const missed = Math.max(0, first.seq - Math.max(next, from));
    next = first.seq + passed.length;
    const entries: TrafficEntry[] = [];
    for (const each of passed) {
      // What is not told is read all the same: an answer has the session of its request.
      const session = sessionIn(each, pairing);
      if (each.seq < from || (agent !== undefined && each.wire.agent !== agent)) continue;
      if (sessionId !== undefined && session !== undefined && session !== sessionId) continue;
      entries.push({ ...withoutSecrets(toEntry(each, session), { secrets }), seq: each.seq });
    }
    if (entries.length > 0 || missed > 0) yield { entries, missed };
    await wait(0);
  }
}

/** The session of what has passed, by the name that clients know. */
function sessionIn(passed: Passed, pairing: Pairing<string | undefined>): string | undefined {
  if (passed.kind !== 'message') return undefined;
  const message = passed.value as TracedMessage;
  const named = sessionOf(message);
  const own = named === undefined ? undefined : (passed.wire.sessions?.get(named) ?? named);
  const { connection } = passed.wire;
  const entry: MessageEntry = { kind: 'message', timeMs: 0, direction: passed.direction, message, connection };
  return pairing.pair(entry, own) ?? own;
}

function toEntry({ kind, timeMs, direction, value, wire }: Passed, sessionId: string | undefined): TraceEntry {
  const { agent, connection, side, protocol } = wire;
  const place = {
    timeMs,
    agent,
    connection,
    side,
    ...(sessionId !== undefined && { sessionId }),
    ...(protocol !== undefined && { protocol }),
  };
  if (kind === 'message') return { kind, direction, message: value as TracedMessage, ...place };
  return kind === 'noise'
    ? { kind, direction, text: String(value), ...place }
    : { kind, text: String(value), ...place };
}
