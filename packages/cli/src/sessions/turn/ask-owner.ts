import { type InputEntry, type LogEntry, readEntry, writeEntry } from '@parley/session';
import type { SessionLog } from '@parley/store';

/** A session's log, and the session's id in it. */
export interface LogPlace {
  readonly log: SessionLog;
  readonly id: string;
}

export interface Waiting {
  /** Whether an entry tells that it is done. */
  readonly isDone: (entry: LogEntry, asked: number) => boolean;
  readonly timeoutMs: number;
}

/** How often it is looked whether the owner is still there. */
const LOOK_MS = 250;

/**
 * Asks the process that works in a session for something, through the session's log, and waits for the entry that tells what
 * came of it. Undefined when that process is gone, or does not react in time.
 */
export async function askOwner(
  { log, id }: LogPlace,
  input: InputEntry,
  waiting: Waiting,
): Promise<LogEntry | undefined> {
  const once = { key: crypto.randomUUID() };
  const { last: asked } = await log.append(id, [writeEntry(input)], { isInput: true, once });
  const end = new AbortController();
  const startedAt = Date.now();
  const looking = setInterval(() => {
    log.get(id).then(
      (record) => {
        if (!record?.isHeld || Date.now() - startedAt > waiting.timeoutMs) end.abort();
      },
      () => end.abort(),
    );
  }, LOOK_MS);
  try {
    for await (const logged of log.follow(id, { after: asked, signal: end.signal })) {
      const entry = readEntry(logged);
      if (entry && waiting.isDone(entry, asked)) return entry;
    }
    return undefined;
  } finally {
    clearInterval(looking);
  }
}
