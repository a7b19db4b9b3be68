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

const LINE_END = /\r\n|\r|\n/;
