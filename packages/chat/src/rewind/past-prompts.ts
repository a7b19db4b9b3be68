import type { Transcript } from '@parley/client';
import { isSteered } from '@parley/session';

/** A turn that one can go back to. */
export interface PastPrompt {
  readonly text: string;
  /** Where it stands among the entries. */
  readonly entry: number;
  /** How many turns go when one goes back to before it: this one and all that followed. */
  readonly turns: number;
}

/** What the person has said, newest first. */
export function pastPrompts({ entries }: Pick<Transcript, 'entries'>): PastPrompt[] {
  const found: PastPrompt[] = [];
  for (let index = entries.length - 1; index >= 0; index -= 1) {
    const entry = entries.at(index);
    // What was said into a turn goes with it.
    if (entry?.type !== 'message' || entry.speaker !== 'user' || isSteered(entry)) continue;
    found.push({ text: entry.text, entry: index, turns: found.length + 1 });
  }
  return found;
}
