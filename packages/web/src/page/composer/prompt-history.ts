import type { Transcript } from '@parley/client';

/** What the person said in a conversation, newest first, each text once. */
export function promptsOf({ entries }: Transcript, most: number = MAX_PROMPTS): string[] {
  const found = new Set<string>();
  for (let index = entries.length - 1; index >= 0 && found.size < most; index -= 1) {
    const entry = entries.at(index);
    if (entry?.type !== 'message' || entry.speaker !== 'user') continue;
    const [first] = entry.content;
    // Files that went along follow the words.
    const text = (first?.type === 'text' ? first.text : entry.text).trim();
    if (text !== '') found.add(text);
  }
  return [...found];
}

const MAX_PROMPTS = 100;
