import type { Direction, MessageEntry } from './trace-entry.ts';

/** Finds the request that a message answers. */
export interface Pairing<Mark> {
  /** Takes the messages of a trace in their order. Returns what was noted with the request that this one answers. */
  pair(entry: MessageEntry, mark: Mark): Mark | undefined;
}

/** Requests whose answers have not come; the oldest of more are forgotten. */
const MAX_OPEN = 10_000;

/** Pairs requests and responses of all wires of a trace. What is noted with a request is given back with its answer. */
export function createPairing<Mark>(): Pairing<Mark> {
  const open = new Map<string, Mark>();
  return {
    pair(entry, mark) {
      const { message, direction } = entry;
      if (!('id' in message)) return undefined;
      if ('method' in message) {
        const key = keyOf(entry, direction);
        // An id that is used again is the newer request's.
        open.delete(key);
        open.set(key, mark);
        if (open.size > MAX_OPEN) forgetOldest(open);
        return undefined;
      }
      const key = keyOf(entry, direction === 'in' ? 'out' : 'in');
      const request = open.get(key);
      open.delete(key);
      return request;
    },
  };
}

function keyOf({ connection = '', message }: MessageEntry, direction: Direction): string {
  return `${connection} ${direction} ${JSON.stringify(message.id)}`;
}

function forgetOldest(open: Map<string, unknown>): void {
  for (const key of open.keys()) {
    open.delete(key);
    return;
  }
}
