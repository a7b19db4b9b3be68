import type { LoggedEvent, NewEvent } from '../../src/index.ts';

export async function collect(events: AsyncIterable<LoggedEvent>): Promise<LoggedEvent[]> {
  const all: LoggedEvent[] = [];
  for await (const event of events) all.push(event);
  return all;
}

/** The first `count` events; then the iteration is left. */
export async function take(events: AsyncIterable<LoggedEvent>, count: number): Promise<LoggedEvent[]> {
  const taken: LoggedEvent[] = [];
  for await (const event of events) {
    taken.push(event);
    if (taken.length === count) break;
  }
  return taken;
}

/** Events whose bodies are the numbers from `first` to `last`. */
export function numbered(first: number, last: number): NewEvent[] {
  return Array.from({ length: last - first + 1 }, (_, index) => ({ kind: 'number', body: first + index }));
}

export function range(first: number, last: number): number[] {
  return Array.from({ length: last - first + 1 }, (_, index) => first + index);
}
