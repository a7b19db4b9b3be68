/** What was sent before, and where in it the person looks. Plain data. */
export interface History {
  readonly entries: readonly string[];
  /** The entry that is shown; undefined while the person writes something new. */
  readonly position: number | undefined;
  /** What was being written when the person began to look. */
  readonly draft: string;
}

export const MAX_HISTORY_ENTRIES: number = 1000;

export function createHistory(entries: readonly string[] = []): History {
  return { entries: entries.slice(-MAX_HISTORY_ENTRIES), position: undefined, draft: '' };
}

/** Remembers what was sent; the same thing twice in a row only once. */
export function remember(history: History, text: string): History {
  const { entries } = history;
  if (text.trim() === '' || entries.at(-1) === text) return createHistory(entries);
  return createHistory([...entries, text]);
}

/** One step back; undefined at the oldest. */
export function older(history: History, current: string): { history: History; text: string } | undefined {
  const position = (history.position ?? history.entries.length) - 1;
  const text = history.entries[position];
  if (text === undefined) return undefined;
  const draft = history.position === undefined ? current : history.draft;
  return { history: { ...history, position, draft }, text };
}

/** One step forward, and at the end back to what was being written. */
export function newer(history: History): { history: History; text: string } | undefined {
  if (history.position === undefined) return undefined;
  const position = history.position + 1;
  const text = history.entries[position];
  if (text === undefined) return { history: { ...history, position: undefined }, text: history.draft };
  return { history: { ...history, position }, text };
}

/** The newest entry before `before` that contains the words; undefined when there is none. */
export function searchHistory(history: History, query: string, before: number): number | undefined {
  for (let index = Math.min(before, history.entries.length) - 1; index >= 0; index -= 1) {
    if (history.entries[index]?.includes(query)) return index;
  }
  return undefined;
}
