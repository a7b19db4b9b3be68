import type { Entry, ToolCallEntry, Transcript, TurnRecord } from '@parley/client';
import { isSteered } from '@parley/session';

/** How a turn of an old conversation ended, from whoever wrote that down: agents do not tell it again. */
export interface PastTurn {
  /** The beginning of what the person said, by which the turn is found again. */
  readonly prompt: string;
  readonly end: Omit<TurnRecord, 'firstEntry'>;
  /** The tool calls that were cut off when the turn was cancelled. */
  readonly cancelledCalls: ReadonlySet<string>;
}

/** So much of a prompt is enough to know it by. */
export const MAX_PAST_PROMPT = 200;

/** The turns of an old conversation, while its entries are shown one after the other. */
export class PastTurns {
  readonly #past: readonly PastTurn[];
  #byPrompt: ReadonlyMap<number, PastTurn> | undefined;
  #current: PastTurn | undefined;

  constructor(past: readonly PastTurn[]) {
    this.#past = past;
  }

  /** The turn that the prompt at this place began is shown from here on. */
  begin({ transcript, index }: { readonly transcript: Transcript; readonly index: number }): void {
    this.#byPrompt ??= matchPastTurns(transcript, this.#past);
    this.#current = this.#byPrompt.get(index);
  }

  /** How the turn that is shown ended, where that is known. */
  get ending(): PastTurn['end'] | undefined {
    return this.#current?.end;
  }

  /** All of the turn is shown. */
  end(): void {
    this.#current = undefined;
  }

  /** A tool call as it was left: one that the end of its turn cut off is cancelled. */
  asLeft(call: ToolCallEntry): ToolCallEntry {
    const isCutOff = call.origin === 'replay' && this.#current?.cancelledCalls.has(call.toolCallId) === true;
    return isCutOff ? { ...call, status: 'cancelled' } : call;
  }
}

/** Finds the turns of an old conversation among its entries, by the place of their prompts; the last ones first. */
function matchPastTurns(transcript: Transcript, past: readonly PastTurn[]): ReadonlyMap<number, PastTurn> {
  const found = new Map<number, PastTurn>();
  let next = past.length - 1;
  for (let index = transcript.entries.length - 1; index >= 0 && next >= 0; index -= 1) {
    const entry = transcript.entries.at(index);
    if (!entry || !isOldPrompt(entry)) continue;
    const prompt = cutPrompt(entry.text);
    const place = past.findLastIndex((turn, at) => at <= next && turn.prompt === prompt);
    const turn = past[place];
    if (!turn) continue;
    found.set(index, turn);
    next = place - 1;
  }
  return found;
}

export function cutPrompt(text: string): string {
  return text.trim().slice(0, MAX_PAST_PROMPT);
}

export function isOldPrompt(entry: Entry): entry is Extract<Entry, { type: 'message' }> {
  return entry.type === 'message' && entry.speaker === 'user' && entry.origin === 'replay' && !isSteered(entry);
}
