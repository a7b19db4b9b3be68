import { readFileSync } from 'node:fs';

/** A moment, told by the processes that were started before it. */
export interface ProcessMoment {
  /** The id that was given out last. */
  readonly lastId: number;
  /** How many processes and threads the machine has started so far. */
  readonly started: number;
  /** How many of them run. */
  readonly running: number;
  /** Where ids begin again. */
  readonly highestId: number;
}

/** Undefined where the system does not tell. */
export function readMoment(): ProcessMoment | undefined {
  try {
    const [, running, lastId] = /\/(\d+) (\d+)\s*$/.exec(readFileSync('/proc/loadavg', 'latin1')) ?? [];
    const [, started] = /^processes (\d+)$/m.exec(readFileSync('/proc/stat', 'latin1')) ?? [];
    const highestId = Number(readFileSync('/proc/sys/kernel/pid_max', 'latin1'));
    const moment = { lastId: Number(lastId), started: Number(started), running: Number(running), highestId };
    return Object.values(moment).every((count) => count > 0) ? moment : undefined;
  } catch {
    return undefined;
  }
}

/**
 * Those of a list that may have been started since a moment. Ids are given out around a circle, so they lie between two
 * places of it: of hundreds that run, only a few have to be looked at. All of them where a moment is unknown, or where
 * the circle may have been closed meanwhile.
 */
export function pickStartedSince(
  moment: ProcessMoment | undefined,
  ids: readonly number[],
  // Read after the list was made: whoever is in it has had its id by then.
  now: ProcessMoment | undefined = moment && readMoment(),
): readonly number[] {
  if (moment === undefined || now === undefined || mayHaveClosed(moment, now)) return ids;
  const { lastId: from } = moment;
  const { lastId: to } = now;
  return from <= to ? ids.filter((id) => id > from && id <= to) : ids.filter((id) => id > from || id <= to);
}

/** Each start goes one step around the circle, and over the ids in use. A count that stands still counts nothing. */
function mayHaveClosed(from: ProcessMoment, to: ProcessMoment): boolean {
  const started = to.started - from.started;
  return started <= 0 || started + IDS_OF_ONE * from.running + RESERVED_IDS >= to.highestId;
}

/** A process holds its own id, and those of its group and session when their leaders are gone. */
const IDS_OF_ONE = 3;

/** Ids that are given out once, after the start of the machine, and left out of every further round. */
const RESERVED_IDS = 300;
