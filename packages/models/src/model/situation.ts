import type { ContentPart, History, HistoryMessage } from './history.ts';

const OPENING = '<situation>';
const CLOSING = '</situation>';

/** What holds now, as the model reads it in the conversation: it changes, and the beginning of a request must not. */
export function situationText(lines: readonly string[]): string {
  return [OPENING, ...lines, CLOSING].join('\n');
}

/** The note that is a part of its own, which nothing that a person or a tool says is. */
export function isSituation(part: ContentPart): boolean {
  return part.type === 'text' && part.text.startsWith(`${OPENING}\n`) && part.text.endsWith(`\n${CLOSING}`);
}

/** What the model was told last in this history; undefined when it knows nothing yet. */
export function lastSituation(history: History): string | undefined {
  for (const message of history.toReversed()) {
    const part = partsOf(message).findLast(isSituation);
    if (part?.type === 'text') return part.text;
  }
  return undefined;
}

/** The history with something added to its last message. Nothing before it changes, and no role speaks twice in a row. */
export function withNote(history: History, text: string): History {
  const note = { type: 'text' as const, text };
  const [before, last] = [history.slice(0, -1), history.at(-1)];
  if (last?.role === 'user') return [...before, { ...last, content: [...last.content, note] }];
  const result = last?.role === 'tool' ? last.results.at(-1) : undefined;
  if (last?.role !== 'tool' || result === undefined) return [...history, { role: 'user', content: [note] }];
  const results = [...last.results.slice(0, -1), { ...result, content: [...result.content, note] }];
  return [...before, { ...last, results }];
}

/** The history as it was said and done, for a model that needs no telling. */
export function withoutSituations(history: History): History {
  const kept = (parts: readonly ContentPart[]): readonly ContentPart[] => parts.filter((part) => !isSituation(part));
  return history.map((message) => {
    if (message.role === 'user') return { ...message, content: kept(message.content) };
    if (message.role === 'assistant') return message;
    return { ...message, results: message.results.map((result) => ({ ...result, content: kept(result.content) })) };
  });
}

function partsOf(message: HistoryMessage): readonly ContentPart[] {
  if (message.role === 'tool') return message.results.flatMap(({ content }) => content);
  return message.role === 'user' ? message.content : [];
}
