import { setTimeout as sleep } from 'node:timers/promises';
import type { PromptContent } from '@parley/client';
import type { ContentBlock } from '@parley/protocol';
import { type PromptInput, readEntry, writeEntry } from '@parley/session';
import type { LoggedEvent } from '@parley/store';
import { CliError } from '../../errors.ts';
import type { Run } from '../../run/start-run.ts';
import { RecordOwner } from '../records/record-owner.ts';
import { isOwn, type SavedSession } from '../records/saved-session.ts';
import { cancelLine } from '../records/server-store.ts';
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

export interface TakeTurn {
  readonly prompt: PromptContent;
  readonly run: Run;
  /** The turn that runs may take the prompt. */
  readonly steers?: boolean | undefined;
}

/** How often a waiting process looks whether the session is free. */
const LOOK_MS = 100;

/**
 * Waits until this process may prompt in a session. While another process works there, the prompt is in the session's log: if
 * that process takes it up, what comes of it is shown here; else this process is next.
 */
export async function takeTurn(
  records: SessionRecords,
  saved: SavedSession,
  { prompt, run, steers = false }: TakeTurn,
): Promise<TakenTurn> {
  const input: PromptInput = {
    type: 'prompt',
    promptId: crypto.randomUUID(),
    content: toBlocks(prompt),
    by: 'parley',
    ...(steers && { steers }),
  };
  const wait = (name = 'another process'): void => run.say(wordWait(name, cancelLine(saved.id), steers));
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

/** What a person is told who has to wait for whoever works in the session. */
export function wordWait(name: string, cancel: string, steers = false): string {
  return steers
    ? `sent to ${name}, which works in this session: into its turn, where the agent can, else behind it (${cancel})`
    : `waiting for ${name}, which works in this session (${cancel})`;
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
  const begun = untilBegun(log.follow(id, { after, signal: stop.signal }), { promptId: input.promptId, seq: after });
  try {
    const owner = await Promise.race([ownLater(records, saved, AbortSignal.any([run.signal, stop.signal])), begun]);
    if (owner instanceof RecordOwner) return { isRunElsewhere: false, owner, input };
    const { after: shownFrom, turnId } = owner;
    await run.follow(foldLog(untilEnded(log.follow(id, { after: shownFrom, signal: run.signal }), turnId)));
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

interface Begun {
  readonly turnId: string;
  /** The number of the last entry that does not belong to what comes of the prompt. */
  readonly after: number;
}

/** The turn of a prompt, or the one that took it; never, when it does not begin while this is followed. */
async function untilBegun(
  entries: AsyncIterable<LoggedEvent>,
  { promptId, seq }: { readonly promptId: string; readonly seq: number },
): Promise<Begun> {
  for await (const logged of entries) {
    const entry = readEntry(logged);
    if (entry?.type === 'turn_started' && entry.turnId === promptId) return { turnId: promptId, after: logged.seq - 1 };
    if (entry?.type !== 'input_taken') continue;
    if (entry.seq === seq && entry.error !== undefined) throw new CliError('usage', entry.error);
    if (entry.promptId === promptId && entry.turnId !== undefined) return { turnId: entry.turnId, after: logged.seq };
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
