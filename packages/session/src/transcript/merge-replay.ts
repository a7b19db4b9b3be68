import { META } from '../meta.ts';
import type { Entry, MessageEntry, ThoughtEntry } from './entry.ts';
import { KeyIndex } from './key-index.ts';
import { List } from './list.ts';
import type { Transcript } from './transcript.ts';

/**
 * Joins what we already had of a session with what the agent tells again. Agents differ here: some replay on load as
 * they must, some do not, some replay on resume although they must not. So nothing we had is lost, nothing that both
 * have appears twice, and what only the agent has goes where it stood.
 */
export function mergeReplay(known: Transcript, replay: Transcript): Transcript {
  if (known.entries.length === 0) {
    const joined = { ...replay, turns: known.turns, folding: { ...replay.folding, unechoed: '' } };
    return withTerminals(joined, known);
  }
  const merge = new Merge(known.entries.toArray());
  const [first, ...rest] = replay.entries.toArray();
  // The agent no longer has the oldest turns. Where we have some of those that it has, it tells us nothing by that.
  if (first && isDroppedNotice(first) && !merge.hasOneOf(rest))
    for (const entry of [first, ...rest]) merge.append(entry);
  else for (const entry of first && isDroppedNotice(first) ? rest : replay.entries) merge.add(entry);
  return withTerminals(merge.finish(known, replay), known);
}

/** What a replay is folded into: the session's settings as they are, and an empty conversation. */
export function emptied(transcript: Transcript): Transcript {
  return {
    ...transcript,
    entries: List.empty(),
    turns: List.empty(),
    terminals: List.empty(),
    folding: { entryIndex: KeyIndex.create(), terminalIndex: KeyIndex.create(), unechoed: '', lastUserEntry: 0 },
  };
}

/** Terminals of both, first those we had; of one that both have, the record that shows more. */
function withTerminals(replay: Transcript, known: Transcript): Transcript {
  const records = new Map([...known.terminals].map((terminal) => [terminal.terminalId, terminal]));
  for (const terminal of replay.terminals) {
    const ours = records.get(terminal.terminalId);
    if (!ours || terminal.output.length >= ours.output.length)
      records.set(terminal.terminalId, { ...ours, ...terminal });
  }
  let terminalIndex = KeyIndex.create();
  for (const [position, terminalId] of [...records.keys()].entries()) {
    terminalIndex = terminalIndex.add(terminalId, position);
  }
  return { ...replay, terminals: List.from([...records.values()]), folding: { ...replay.folding, terminalIndex } };
}

class Merge {
  readonly #known: readonly Entry[];
  /** Where the known entries of each key stand, first ones first. */
  readonly #places = new Map<string, number[]>();
  readonly #lastSpoken: ReadonlyMap<string, number>;
  readonly #merged: Entry[] = [];
  /** From a place among the known entries to its place among the merged. */
  readonly #moved: number[] = [];

  constructor(known: readonly Entry[]) {
    this.#known = known;
    const lastSpoken = new Map<string, number>();
    for (const [place, entry] of known.entries()) {
      if (isSpoken(entry)) lastSpoken.set(speakerOf(entry), place);
      for (const key of keysOf(entry)) {
        const places = this.#places.get(key);
        if (places) places.push(place);
        else this.#places.set(key, [place]);
      }
    }
    this.#lastSpoken = lastSpoken;
  }

  /** Whether the agent tells something that we have, by its id where there are ids. */
  hasOneOf(entries: readonly Entry[]): boolean {
    const hasIds = this.#known.some((entry) => identityOf(entry) !== undefined);
    return entries.some((entry) => {
      const key = hasIds ? identityOf(entry) : wordsOf(entry);
      return key !== undefined && this.#places.has(key);
    });
  }

  /** Puts an entry behind all that we have. */
  append(entry: Entry): void {
    this.#keepUpTo(this.#known.length - 1);
    this.#merged.push(entry);
  }

  add(entry: Entry): void {
    const place = this.#find(entry) ?? this.#findUnfinished(entry);
    if (place === undefined) {
      if (!this.#isJoined(entry)) this.#merged.push(entry);
      return;
    }
    this.#keepUpTo(place);
    const position = this.#moved[place];
    const ours = this.#known[place];
    if (position !== undefined && ours) this.#merged[position] = newer(ours, entry);
  }

  finish(known: Transcript, replay: Transcript): Transcript {
    this.#keepUpTo(this.#known.length - 1);
    let entryIndex = KeyIndex.create();
    for (const [position, entry] of this.#merged.entries()) {
      const key = identityOf(entry);
      if (key !== undefined) entryIndex = entryIndex.add(key, position);
    }
    return {
      ...replay,
      entries: List.from(this.#merged),
      turns: List.from(
        [...known.turns].map((turn) => ({ ...turn, firstEntry: this.#moved[turn.firstEntry] ?? turn.firstEntry })),
      ),
      folding: { ...replay.folding, entryIndex, unechoed: '' },
    };
  }

  #find(entry: Entry): number | undefined {
    for (const key of keysOf(entry)) {
      const places = this.#places.get(key);
      // An id says which entry it is; the same words may have been said several times, each to be matched once.
      const place = key === identityOf(entry) ? places?.[0] : places?.shift();
      if (place !== undefined) return place;
    }
    return undefined;
  }

  /** The last thing we heard may have been cut off in the middle; the replay has all of it. */
  #findUnfinished(entry: Entry): number | undefined {
    if (!isSpoken(entry)) return undefined;
    const place = this.#lastSpoken.get(speakerOf(entry));
    const ours = place === undefined ? undefined : this.#known[place];
    if (place === undefined || !ours || !isSpoken(ours) || ours.text === '') return undefined;
    return this.#moved[place] === undefined && entry.text.startsWith(ours.text) ? place : undefined;
  }

  /**
   * Two prompts of which the first was never answered are told again as one message, where they have no ids. What we have
   * of them in parts is kept.
   */
  #isJoined(entry: Entry): boolean {
    if (!isSpoken(entry)) return false;
    const isPart = (ours: Entry | undefined): ours is MessageEntry | ThoughtEntry =>
      ours !== undefined && isSpoken(ours) && speakerOf(ours) === speakerOf(entry);
    let place = this.#moved.length;
    while (place < this.#known.length && !isPart(this.#known[place])) place += 1;
    let rest = entry.text;
    for (let ours = this.#known[place]; isPart(ours) && ours.text !== '' && rest.startsWith(ours.text); ) {
      rest = rest.slice(ours.text.length);
      if (rest === '') this.#keepUpTo(place);
      if (rest === '') return true;
      place += 1;
      ours = this.#known[place];
    }
    return false;
  }

  #keepUpTo(place: number): void {
    for (let next = this.#moved.length; next <= place; next += 1) {
      const entry = this.#known[next];
      if (entry) this.#moved.push(this.#merged.push(entry) - 1);
    }
  }
}

/** Our entry with what the replay knows better: the outcome of a tool call, the end of a message. */
function newer(ours: Entry, theirs: Entry): Entry {
  const { origin, turn, at } = ours;
  const place = { origin, ...(turn !== undefined && { turn }), ...(at !== undefined && { at }) };
  if (ours.type === 'tool_call' && theirs.type === 'tool_call') return { ...ours, ...theirs, ...place };
  if (isSpoken(ours) && isSpoken(theirs) && theirs.text.length > ours.text.length) return { ...theirs, ...place };
  return ours;
}

/** How the fold finds the entry again, if it has an id. Must agree with the keys that the `apply*` functions use. */
function identityOf(entry: Entry): string | undefined {
  switch (entry.type) {
    case 'tool_call':
      return `tool ${entry.toolCallId}`;
    case 'compaction':
      return `compaction ${entry.compactionId}`;
    case 'message':
      return entry.messageId === undefined ? undefined : `${entry.speaker} ${entry.messageId}`;
    case 'thought':
      return entry.messageId === undefined ? undefined : `thought ${entry.messageId}`;
    default:
      return undefined;
  }
}

/** By what an entry may be recognised: by its id, else by its words. */
function keysOf(entry: Entry): string[] {
  const identity = identityOf(entry);
  const words = wordsOf(entry);
  return [identity, words].filter((key) => key !== undefined);
}

function wordsOf(entry: Entry): string | undefined {
  if (isSpoken(entry)) return `${speakerOf(entry)} says ${entry.text.trim()}`;
  if (entry.type === 'notice') return `notice ${entry.title}`;
  return entry.type === 'unknown' ? `${entry.variant} ${JSON.stringify(entry.raw)}` : undefined;
}

function isDroppedNotice({ type, meta }: Entry): boolean {
  return type === 'notice' && meta?.[META.droppedTurns] !== undefined;
}

function isSpoken(entry: Entry): entry is MessageEntry | ThoughtEntry {
  return entry.type === 'message' || entry.type === 'thought';
}

function speakerOf(entry: MessageEntry | ThoughtEntry): string {
  return entry.type === 'thought' ? 'thought' : entry.speaker;
}
