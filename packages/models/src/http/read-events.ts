import { type SseEvent, SseParser } from '@parley/transports/sse-parser';
import type { HttpAnswer } from './http-answer.ts';

/** One event of an answer. Its type is `message` unless the server names another; `json` stands for a body that is no stream. */
export type AnswerEvent = Pick<SseEvent, 'type' | 'data'>;

/** The most bytes in one event. */
export const DEFAULT_MAX_EVENT_BYTES: number = 16 * 1024 * 1024;

/** Some servers leave out the empty line after the last event; a strict reader would drop it. */
const LAST_LINE = new TextEncoder().encode('\n\n');

/** Yields the server-sent events of a body, those that arrived together as one list. Throws a RangeError for one that is too large. */
export async function* readEvents(
  read: HttpAnswer['read'],
  maxEventBytes: number = DEFAULT_MAX_EVENT_BYTES,
): AsyncGenerator<readonly AnswerEvent[], void, undefined> {
  const parser = new SseParser({ maxEventBytes });
  const take = (bytes: Uint8Array): readonly AnswerEvent[] => {
    parser.push(bytes);
    const events: AnswerEvent[] = [];
    for (let event = parser.next(); event; event = parser.next()) {
      if (event.kind === 'oversize') throw tooLarge(maxEventBytes);
      events.push(event);
    }
    // An event without an end would be read for ever.
    if (parser.pendingBytes > maxEventBytes) throw tooLarge(maxEventBytes);
    return events;
  };
  for (let bytes = await read(); bytes !== undefined; bytes = await read()) {
    const events = take(bytes);
    if (events.length > 0) yield events;
  }
  yield take(LAST_LINE);
}

function tooLarge(maxEventBytes: number): RangeError {
  return new RangeError(`an event is longer than ${maxEventBytes} bytes`);
}
