/** One server-sent event. */
export interface SseEvent {
  /** The `event:` field, or `message`. */
  readonly event: string;
  readonly data: string;
}

export interface SseDecoderOptions {
  /** Longest event in characters. Default: 16 Mi. */
  readonly maxEventChars?: number;
}

export const DEFAULT_MAX_EVENT_CHARS: number = 16 * 1024 * 1024;

/** Turns text, cut anywhere, into server-sent events (WHATWG HTML, section 9.2.6). */
export interface SseDecoder {
  /** Throws a RangeError when one event grows beyond the limit. */
  push(text: string): readonly SseEvent[];
  /** What was left without its empty line; a strict reader drops it, but some servers end so. */
  end(): readonly SseEvent[];
}

export function createSseDecoder(options: SseDecoderOptions = {}): SseDecoder {
  const { maxEventChars = DEFAULT_MAX_EVENT_CHARS } = options;
  let rest = '';
  let eventName = '';
  let data: string[] = [];
  let chars = 0;
  let isFirst = true;
  /** The last text ended in CR; if the next begins with LF, both were one line end. */
  let endedInCr = false;

  const takeLine = (line: string, events: SseEvent[]): void => {
    if (line === '') {
      if (data.length > 0) events.push({ event: eventName || 'message', data: data.join('\n') });
      eventName = '';
      data = [];
      chars = 0;
      return;
    }
    const colon = line.indexOf(':');
    if (colon === 0) return;
    const field = colon < 0 ? line : line.slice(0, colon);
    const value = colon < 0 ? '' : line.slice(line[colon + 1] === ' ' ? colon + 2 : colon + 1);
    if (field === 'event') eventName = value;
    if (field !== 'data') return;
    chars += value.length;
    data.push(value);
  };

  const guard = (): void => {
    if (chars + rest.length > maxEventChars)
      throw new RangeError(`an event is longer than ${maxEventChars} characters`);
  };

  return {
    push(text) {
      const events: SseEvent[] = [];
      let input = text;
      if (input === '') return events;
      if (isFirst && input.charCodeAt(0) === 0xfeff) input = input.slice(1);
      isFirst = false;
      if (endedInCr && input[0] === '\n') input = input.slice(1);
      endedInCr = text.endsWith('\r');
      const hasCr = input.includes('\r');
      let start = 0;
      for (let end = findLineEnd(input, 0, hasCr); end >= 0; end = findLineEnd(input, start, hasCr)) {
        takeLine(rest + input.slice(start, end), events);
        rest = '';
        guard();
        start = input[end] === '\r' && input[end + 1] === '\n' ? end + 2 : end + 1;
      }
      rest += input.slice(start);
      guard();
      return events;
    },
    end() {
      const events: SseEvent[] = [];
      if (rest !== '') takeLine(rest, events);
      rest = '';
      takeLine('', events);
      return events;
    },
  };
}

function findLineEnd(text: string, from: number, hasCr: boolean): number {
  const lf = text.indexOf('\n', from);
  const cr = hasCr ? text.indexOf('\r', from) : -1;
  if (cr < 0) return lf;
  return lf < 0 ? cr : Math.min(lf, cr);
}
