import type { SessionEvent } from '@parley/session';
import type { NewEvent, SessionLog } from '@parley/store';
import { toNewEvent } from './event-pipe.ts';
import { isEvent, isTurnEnd, isTurnStart, turnEnd, turnIdOf } from './history.ts';
import { OpenEnds } from './unfinished.ts';

/** Most turns have ended, and then one of the last events says so. */
const FIRST_LOOK_EVENTS = 32;
const LOOK_FACTOR = 8;

export interface LogEnd {
  readonly log: SessionLog;
  readonly sessionId: string;
  readonly head: number;
}

export interface Interruption {
  /** What the log must be told, so that the turn has an end there. */
  readonly entries: readonly NewEvent[];
  /** The settings that the turn changed; it could not save them. */
  readonly settings: readonly SessionEvent[];
}

/** The sequence number at which the last turn starts, if the log does not tell of its end. Looks from the end backwards. */
export async function findOpenTurn({ log, sessionId, head }: LogEnd): Promise<number | undefined> {
  let upTo = head;
  for (let length = FIRST_LOOK_EVENTS; upTo > 0; length *= LOOK_FACTOR) {
    const after = Math.max(0, upTo - length);
    let last: { readonly start: number | undefined } | undefined;
    for await (const entry of log.read(sessionId, { after, upTo })) {
      if (isTurnStart(entry)) last = { start: entry.seq };
      else if (isTurnEnd(entry)) last = { start: undefined };
    }
    if (last) return last.start;
    upTo = after;
  }
  return undefined;
}

/** What is missing at the end of a log whose last turn was left open by a process that was lost. */
export async function readInterruption(end: LogEnd): Promise<Interruption | undefined> {
  const start = await findOpenTurn(end);
  if (start === undefined) return undefined;
  const openEnds = new OpenEnds();
  const settings: SessionEvent[] = [];
  let turnId = '';
  for await (const entry of end.log.read(end.sessionId, { after: start - 1, upTo: end.head })) {
    if (isTurnStart(entry)) turnId = turnIdOf(entry);
    if (!isEvent(entry)) continue;
    openEnds.see(entry.body);
    if (entry.body.type === 'mode' || entry.body.type === 'config') settings.push(entry.body);
  }
  const message = 'The process that worked on this turn ended before the turn did.';
  const entries = [...openEnds.close()].map(toNewEvent);
  return { entries: [...entries, turnEnd({ turnId, error: { code: -32603, message } })], settings };
}
