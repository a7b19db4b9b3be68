import type { ModelEvent } from '../model/model.ts';

/** Adds an event to others that arrived with it. Pieces of one text become one piece: how they were cut means nothing. */
export function addMerged(events: ModelEvent[], event: ModelEvent): void {
  const merged = merge(events.at(-1), event);
  if (merged) events[events.length - 1] = merged;
  else events.push(event);
}

function merge(last: ModelEvent | undefined, next: ModelEvent): ModelEvent | undefined {
  if (last?.type === 'tool_call_delta' && next.type === 'tool_call_delta' && last.id === next.id) {
    return { ...next, delta: last.delta + next.delta };
  }
  const isText =
    (last?.type === 'text' && next.type === 'text') || (last?.type === 'thought' && next.type === 'thought');
  // A signature closes the piece it comes with.
  if (!isText || last.signature !== undefined) return undefined;
  return { ...next, text: last.text + next.text };
}
