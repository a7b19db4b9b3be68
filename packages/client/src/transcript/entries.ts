import type { Entry } from './entry.ts';
import type { Transcript } from './transcript.ts';

/** An entry without the facts that the transcript itself supplies. */
export type NewEntry = Entry extends infer Each
  ? Each extends Entry
    ? Omit<Each, 'origin' | 'turn' | 'at' | 'meta'>
    : never
  : never;

export interface EntryContext {
  readonly at?: number | undefined;
  readonly meta?: Readonly<Record<string, unknown>> | null | undefined;
  /** Under which the entry can be found again. */
  readonly key?: string | undefined;
}

export function appendEntry(transcript: Transcript, entry: NewEntry, { at, meta, key }: EntryContext): Transcript {
  const { entries, turns, folding, isReplaying } = transcript;
  const hasTurn = !isReplaying && isRunning(transcript);
  const whole = {
    ...entry,
    origin: isReplaying ? 'replay' : 'live',
    ...(hasTurn && { turn: turns.length - 1 }),
    ...(at !== undefined && { at }),
    ...(meta && { meta }),
  } as Entry;
  return {
    ...transcript,
    entries: entries.push(whole),
    ...(key !== undefined && { folding: { ...folding, entryIndex: folding.entryIndex.add(key, entries.length) } }),
  };
}

export function replaceEntry(transcript: Transcript, position: number, entry: Entry): Transcript {
  return { ...transcript, entries: transcript.entries.set(position, entry) };
}

/** Where the entry of a key is, if there is one. */
export function findEntry(transcript: Transcript, key: string): number | undefined {
  return transcript.folding.entryIndex.get(key);
}

export function isRunning({ turns }: Transcript): boolean {
  const status = turns.at(-1)?.status;
  return status === 'running' || status === 'cancelling';
}
