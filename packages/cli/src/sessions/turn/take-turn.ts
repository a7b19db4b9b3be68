import { setTimeout as sleep } from 'node:timers/promises';
import type { PromptContent } from '@parley/client';
import type { ContentBlock } from '@parley/protocol';
import { type PromptInput, readEntry, writeEntry } from '@parley/session';
import type { LoggedEvent } from '@parley/store';
import type { Run } from '../../run/start-run.ts';
import { RecordOwner } from '../records/record-owner.ts';
import { isOwn, type SavedSession } from '../records/saved-session.ts';
import type { SessionRecords } from '../records/session-records.ts';
import { foldLog } from '../records/transcript-of.ts';
import type { LogPlace } from './ask-owner.ts';

export type TakenTurn =
  | {
      readonly isRunElsewhere: false;
      /** Undefined for a session of our own agent, which owns it itself. */
      readonly owner: RecordOwner | undefined;
      readonly input: PromptInput;
    }
  /** The process that works in the session has run the prompt, and it was shown here. */
  | { readonly isRunElsewhere: true };

/** How often a waiting process looks whether the session is free. */
const LOOK_MS = 100;

/**
 * Waits until this process may prompt in a session. While another process works there, the prompt is in the session's log: if
 * that process takes it up, what comes of it is shown here; else this process is next.
 */
export async function takeTurn(
  records: SessionRecords,
  saved: SavedSession,
  { prompt, run }: { readonly prompt: PromptContent; readonly run: Run },
): Promise<TakenTurn> {
  const input: PromptInput = { type: 'prompt', promptId: crypto.randomUUID(), content: toBlocks(prompt), by: 'parley' };
  const wait = (name = 'another process'): void =>
    run.say(`waiting for ${name}, which works in this session (parley cancel -s ${saved.id})`);
  if (isOwn(saved) && saved.agentSessionId !== undefined) {
    if (saved.worker?.isThere) wait(saved.worker.name);
    return { isRunElsewhere: false, owner: undefined, input };
  }
  const free = await RecordOwner.tryOwn(records, saved);
  if (free) return { isRunElsewhere: false, owner: free, input };
  const { log, record } = await records.recordOf(saved);
  wait((await records.get(saved.id))?.worker?.name);
  // A session that is just being opened has nobody who could act on a prompt.
  if (isOwn(saved)) return { isRunElsewhere: false, owner: await ownLater(records, saved, run.signal), input };
  const place: LogPlace = { log, id: record.id };
  const { last } = await log.append(record.id, [writeEntry(input)], { isInput: true, once: { key: input.promptId } });
  return waitInLog(records, saved, { place, after: last, input, run });
}

interface WaitInLog {
  readonly place: LogPlace;
  readonly after: number;
  readonly input: PromptInput;
  readonly run: Run;
}

async function waitInLog(records: SessionRecords, saved: SavedSession, waiting: WaitInLog): Promise<TakenTurn> {
  const { place, after, input, run } = waiting;
  const { log, id } = place;
  const stop = new AbortController();
  const begun = untilBegun(log.follow(id, { after, signal: stop.signal }), input.promptId);
  try {
    const owner = await Promise.race([ownLater(records, saved, AbortSignal.any([run.signal, stop.signal])), begun]);
    if (typeof owner === 'object') return { isRunElsewhere: false, owner, input };
    await run.follow(foldLog(untilEnded(log.follow(id, { after: owner - 1, signal: run.signal }), input.promptId)));
    return { isRunElsewhere: true };
  } catch (error) {
    if (run.signal.aborted) {
      const cancel = writeEntry({ type: 'cancel', turnId: input.promptId, by: 'parley' });
      await log.append(id, [cancel], { isInput: true, once: { key: crypto.randomUUID() } }).catch(() => {});
    }
    throw error;
  } finally {
    stop.abort();
  }
}

async function ownLater(records: SessionRecords, saved: SavedSession, signal: AbortSignal): Promise<RecordOwner> {
  for (;;) {
    await sleep(LOOK_MS, undefined, { signal }).catch(() => {
      throw signal.reason;
    });
    const owner = await RecordOwner.tryOwn(records, saved);
    if (owner && !signal.aborted) return owner;
    await owner?.[Symbol.asyncDispose]();
  }
}

/** The number of the entry with which a turn begins; never, when it does not begin while this is followed. */
async function untilBegun(entries: AsyncIterable<LoggedEvent>, turnId: string): Promise<number> {
  for await (const logged of entries) {
    const entry = readEntry(logged);
    if (entry?.type === 'turn_started' && entry.turnId === turnId) return logged.seq;
  }
  return new Promise(() => {});
}

async function* untilEnded(entries: AsyncIterable<LoggedEvent>, turnId: string): AsyncGenerator<LoggedEvent> {
  for await (const logged of entries) {
    yield logged;
    const entry = readEntry(logged);
    if (entry?.type === 'turn_ended' && entry.turnId === turnId) return;
  }
}

function toBlocks(prompt: PromptContent): readonly ContentBlock[] {
  const parts = Array.isArray(prompt) ? prompt : [prompt];
  return parts.map((part): ContentBlock => (typeof part === 'string' ? { type: 'text', text: part } : part));
}
