export interface SseFields {
  /** Any text; line ends in it become those of `data` lines, and are read as line feeds. */
  readonly data: string;
  /** One line without U+0000. */
  readonly id?: string;
  /** How long a reader waits before it dials again. */
  readonly retryMs?: number;
}

/** The text of one event, as the HTML Standard's event stream format has it. */
export function encodeSseEvent({ data, id, retryMs }: SseFields): string {
  const head = `${retryMs === undefined ? '' : `retry: ${retryMs}\n`}${id === undefined ? '' : `id: ${id}\n`}`;
  return `${head}data: ${LINE_END.test(data) ? data.split(LINE_END).join('\ndata: ') : data}\n\n`;
}

/** A line that readers pass over: it shows that the stream is alive. */
export function encodeSseComment(text = ''): string {
  return `:${text === '' ? '' : ` ${text}`}\n\n`;
}

/**
 * The beginning of a stream, sent at once. It names the last event before those that follow, so that a reader that loses the
 * stream before its first event can already say where it stood (`Last-Event-ID`), and knows that this server can resume.
 */
export function encodeSseOpening(lastEventId: string): string {
  return `: acp\nid: ${lastEventId}\n\n`;
}

const LINE_END = /\r\n|\r|\n/;

/** The event that a server ends a stream with when the connection is over, in good order. Without it the stream was cut. */
export const SSE_END = 'end';

/** Has empty data, so that readers which do not know it see an event with nothing in it. */
export function encodeSseEnd(): string {
  return `event: ${SSE_END}\ndata:\n\n`;
}
