import type { NewEvent, SessionLog } from '@parley/store';
import { isSetting, readEntry, type TurnEnded, type TurnStarted, writeEntry, writeEvent } from '../entry.ts';
import type { SessionEvent } from '../event.ts';
import { applyEntry, NO_PROGRESS, type SessionProgress } from '../progress.ts';
import { readKept } from './read-kept.ts';
import { Unfinished } from './unfinished.ts';

/** Most turns have ended, and then one of the last events says so. */
const FIRST_LOOK_EVENTS = 32;
const LOOK_FACTOR = 8;

export interface LogEnd {
  readonly log: SessionLog;
  readonly sessionId: string;
  readonly head: number;
}

export interface Interruption {
  /** The entries to append, so that the turn has an end in the log. */
  readonly entries: readonly NewEvent[];
  /** The settings that the turn changed; it could not save them. */
  readonly settings: readonly SessionEvent[];
}

/** What is going on in a session, read from as little of the end of its log as will do. */
export async function readProgress(end: LogEnd): Promise<SessionProgress> {
  const border = await findLastBorder(end);
  const from = Math.min(border?.seq ?? 1, border?.entry.oldestInput ?? Number.POSITIVE_INFINITY);
  let progress = NO_PROGRESS;
  if (end.head === 0) return progress;
  for await (const logged of readKept(end.log, end.sessionId, { after: from - 1, upTo: end.head })) {
    const entry = readEntry(logged);
    if (entry) progress = applyEntry(progress, entry, logged.seq);
  }
  return progress;
}

/** The entries that are missing at the end of a log in which a lost process has left this turn open. */
export async function readInterruption(end: LogEnd, turnId: string): Promise<Interruption | undefined> {
  // Prompts that waited for this turn may have been cancelled, and have ended since it began.
  const border = await findLastBorder(end, (entry) => entry.type === 'turn_started' && entry.turnId === turnId);
  if (!border) return undefined;
  // What came in while the turn ran waits still, and is to be found from its end on.
  const { oldestInput = border.seq } = border.entry;
  const unfinished = new Unfinished();
  const settings: SessionEvent[] = [];
  for await (const logged of readKept(end.log, end.sessionId, { after: border.seq - 1, upTo: end.head })) {
    const entry = readEntry(logged);
    if (entry?.type !== 'event') continue;
    unfinished.see(entry.event);
    if (isSetting(entry.event)) settings.push(entry.event);
  }
  const message = 'The process that worked on this turn ended before the turn did.';
  const ended = writeEntry({ type: 'turn_ended', turnId, error: { code: -32603, message }, oldestInput });
  return { entries: [...unfinished.close().map(writeEvent), ended], settings };
}

interface Border {
  readonly seq: number;
  readonly entry: TurnStarted | TurnEnded;
}

/** The last beginning or end of a turn that is looked for. Looks from the end backwards. */
async function findLastBorder(
  { log, sessionId, head }: LogEnd,
  isSought: (entry: Border['entry']) => boolean = () => true,
): Promise<Border | undefined> {
  let upTo = head;
  for (let length = FIRST_LOOK_EVENTS; upTo > 0; length *= LOOK_FACTOR) {
    const after = Math.max(0, upTo - length);
    let last: Border | undefined;
    for await (const logged of readKept(log, sessionId, { after, upTo })) {
      const entry = readEntry(logged);
      if ((entry?.type === 'turn_started' || entry?.type === 'turn_ended') && isSought(entry))
        last = { seq: logged.seq, entry };
    }
    if (last) return last;
    upTo = after;
  }
  return undefined;
}
