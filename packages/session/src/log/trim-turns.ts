import type { SessionLog, SessionRecord } from '@parley/store';
import { isTurnStart, readEntry, type TurnsDropped, writeEntry } from '../entry.ts';
import type { SessionEvent } from '../event.ts';
import { readProgress } from './interruption.ts';
import { LastingState } from './lasting-state.ts';
import { readKept } from './read-kept.ts';

/** Which turns of a session are kept; the last one always is. */
export interface KeptTurns {
  /** So many, counted from the last. Default: all. */
  readonly turns?: number | undefined;
  /** Those in which something happened since then, in milliseconds since 1970. Default: all. */
  readonly sinceMs?: number | undefined;
}

export interface TrimTurnsOptions {
  readonly log: SessionLog;
  readonly sessionId: string;
  readonly keep: KeptTurns;
  /** From the lease; left out where nobody owns the session. */
  readonly epoch?: number | undefined;
  /** Only looks how many would go. Default: false. */
  readonly isDryRun?: boolean;
  /** Called when something is about to be dropped; what it throws leaves everything as it is. */
  readonly beforeTrim?: () => Promise<void>;
}

export interface TrimmedTurns {
  readonly dropped: number;
  readonly kept: number;
}

interface TurnPlace {
  readonly seq: number;
  /** When something last happened in it. */
  lastMs: number;
}

/**
 * Drops the oldest turns of a session for good. The log is cut where a turn begins, never in the last turn, and never behind something
 * that the owner still has to act on; what the dropped turns left behind that still holds goes into the entry in their place.
 */
export async function trimTurns(options: TrimTurnsOptions): Promise<TrimmedTurns> {
  const { log, sessionId, keep, epoch, isDryRun = false, beforeTrim } = options;
  const record = await log.get(sessionId);
  if (!record || record.head === 0) return { dropped: 0, kept: 0 };
  const turns = await findTurns(log, record);
  const { inputs } = await readProgress({ log, sessionId, head: record.head });
  const oldestInput = inputs[0]?.seq ?? Number.POSITIVE_INFINITY;
  let dropped = Math.min(countUnwanted(turns, keep), turns.length - 1);
  while (dropped > 0 && (turns[dropped]?.seq ?? 0) > oldestInput) dropped -= 1;
  const first = turns[dropped];
  if (dropped <= 0 || !first) return { dropped: 0, kept: turns.length };
  if (!isDryRun) {
    await beforeTrim?.();
    const entry = await summarise(log, record, { before: first.seq, turns: dropped });
    const summary = { ...writeEntry(entry), timeMs: turns[dropped - 1]?.lastMs };
    await log.trim(sessionId, { before: first.seq, summary, epoch });
  }
  return { dropped, kept: turns.length - dropped };
}

async function findTurns(log: SessionLog, { id, head }: SessionRecord): Promise<TurnPlace[]> {
  const turns: TurnPlace[] = [];
  for await (const logged of readKept(log, id, { upTo: head })) {
    if (isTurnStart(logged)) turns.push({ seq: logged.seq, lastMs: logged.timeMs });
    const current = turns.at(-1);
    if (current) current.lastMs = Math.max(current.lastMs, logged.timeMs);
  }
  return turns;
}

function countUnwanted(turns: readonly TurnPlace[], { turns: most, sinceMs }: KeptTurns): number {
  const tooMany = most === undefined ? 0 : turns.length - most;
  const firstRecent = sinceMs === undefined ? 0 : turns.findIndex(({ lastMs }) => lastMs >= sinceMs);
  return Math.max(tooMany, firstRecent === -1 ? turns.length : firstRecent);
}

async function summarise(
  log: SessionLog,
  { id }: SessionRecord,
  { before, turns }: { readonly before: number; readonly turns: number },
): Promise<TurnsDropped> {
  const state = new LastingState();
  let earlier = 0;
  for await (const logged of readKept(log, id, { upTo: before - 1 })) {
    const entry = readEntry(logged);
    if (entry?.type === 'event') state.see(entry.event);
    if (entry?.type !== 'turns_dropped') continue;
    earlier = entry.turns;
    for (const event of entry.state) state.see(event);
  }
  return { type: 'turns_dropped', turns: earlier + turns, state: state.events() satisfies SessionEvent[] };
}
