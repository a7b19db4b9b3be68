import { cloneJson, leastJsonLength, MOST_BYTES_PER_CHARACTER, ParleyError } from '@parley/jsonrpc';
import type { SessionEvent } from '@parley/protocol';

/** The lists that events have; one that is no list would break everybody who reads the event later. */
const LISTS = ['content', 'locations', 'entries', 'commands', 'options', 'summary'] as const;

/**
 * A copy of what an author says, so that it stays as it was said whatever becomes of the author's object. What could not
 * be written or shown is refused here, where its author hears of it, and not when others wait for it.
 */
export function ownEvent<Event extends SessionEvent>(event: Event, maxBytes: number): Event {
  const copy = copyOf(event);
  requireLists(copy);
  const length = leastJsonLength(copy);
  if (length * MOST_BYTES_PER_CHARACTER > maxBytes && byteLength(copy) > maxBytes) {
    throw invalidUpdate(event, `it is larger than ${maxBytes} bytes; tell it in pieces, or keep it elsewhere`);
  }
  return copy;
}

function copyOf<Event extends SessionEvent>(event: Event): Event {
  try {
    return cloneJson(event) as Event;
  } catch (cause) {
    const why = cause instanceof RangeError ? 'it holds itself, or is nested too deep' : String(cause);
    throw invalidUpdate(event, `it cannot be written as JSON (${why})`, cause);
  }
}

function requireLists(event: SessionEvent): void {
  const fields = event as Partial<Record<(typeof LISTS)[number], unknown>>;
  if (event.type === 'message_chunk' || event.type === 'thought_chunk' || event.type === 'compaction_chunk') {
    if (typeof fields.content !== 'object' || fields.content === null)
      throw invalidUpdate(event, 'its content must be a content block');
    return;
  }
  for (const name of LISTS) {
    if (fields[name] !== undefined && !Array.isArray(fields[name]))
      throw invalidUpdate(event, `its ${name} must be a list`);
  }
  const needed = event.type === 'plan' ? 'entries' : event.type === 'commands' ? 'commands' : undefined;
  if (needed && fields[needed] === undefined) throw invalidUpdate(event, `its ${needed} must be a list`);
}

function byteLength(value: unknown): number {
  return new TextEncoder().encode(JSON.stringify(value)).length;
}

function invalidUpdate({ type }: SessionEvent, why: string, cause?: unknown): ParleyError {
  return new ParleyError('invalid_update', `An update (${type}) was refused: ${why}.`, cause ? { cause } : undefined);
}
