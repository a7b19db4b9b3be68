import type { Entry } from './entry.ts';
import type { Folding, Transcript } from './transcript.ts';

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
  const whole = { ...entry, origin: isReplaying ? 'replay' : 'live' } as {
    -readonly [Name in keyof Entry]: Entry[Name];
  };
  if (!isReplaying && isRunning(transcript)) whole.turn = turns.length - 1;
  if (at !== undefined) whole.at = at;
  if (meta) whole.meta = meta;
  const { entryIndex, terminalIndex, unechoed, lastUserEntry } = folding;
  const indexed =
    key === undefined
      ? folding
      : { entryIndex: entryIndex.add(key, entries.length), terminalIndex, unechoed, lastUserEntry };
  return withEntries(transcript, entries.push(whole as Entry), indexed);
}

export function replaceEntry(transcript: Transcript, position: number, entry: Entry): Transcript {
  return withEntries(transcript, transcript.entries.set(position, entry), transcript.folding);
}

/** Written out, because this happens for every piece of text, and V8 makes a literal several times faster than a spread. */
function withEntries(transcript: Transcript, entries: Transcript['entries'], folding: Folding): Transcript {
  return {
    entries,
    turns: transcript.turns,
    terminals: transcript.terminals,
    plan: transcript.plan,
    plans: transcript.plans,
    planDocument: transcript.planDocument,
    subagents: transcript.subagents,
    commands: transcript.commands,
    mode: transcript.mode,
    options: transcript.options,
    title: transcript.title,
    updatedAt: transcript.updatedAt,
    usage: transcript.usage,
    state: transcript.state,
    questions: transcript.questions,
    isReplaying: transcript.isReplaying,
    folding,
  };
}

/** Where the entry of a key is, if there is one. */
export function findEntry(transcript: Transcript, key: string): number | undefined {
  return transcript.folding.entryIndex.get(key);
}

export function isRunning({ turns }: Transcript): boolean {
  const status = turns.at(-1)?.status;
  return status === 'running' || status === 'cancelling';
}
