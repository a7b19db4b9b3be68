/** The header fields of ACP over HTTP, as the remote-transport RFD names them; lower case, since HTTP/2 sends them so. */
export const HEADERS = {
  /** Which connection a request belongs to; the server gives it with the answer to `initialize`. */
  connectionId: 'acp-connection-id',
  /** Which session a message or a stream belongs to. */
  sessionId: 'acp-session-id',
  /** The version of ACP that was agreed on, as a number. */
  protocolVersion: 'acp-protocol-version',
  /** The last event of a stream that was read, when the stream is opened again. */
  lastEventId: 'last-event-id',
} as const;

export const JSON_TYPE = 'application/json';
/**
 * The `Accept` of a `session/load` whose client reads one stream for the session: the answer may come there, after all that was
 * replayed. On the stream of the connection, where the RFD has it, it can overtake the replay. A parameter, since web pages may not
 * send a header field that a server does not know of.
 */
export const LOAD_ON_SESSION_STREAM = 'application/json; load=session';
export const EVENT_STREAM_TYPE = 'text/event-stream';
/** The `Accept` of a plain POST whose client also reads the stream: the answer may come there, after all that was sent before it. */
export const ANSWER_ON_STREAM: string = `${JSON_TYPE}, ${EVENT_STREAM_TYPE}`;

/** Where a listener serves what; a reverse proxy may put other paths in front. */
export const PATHS = {
  /** WebSocket and streamable HTTP. */
  acp: '/acp',
  /** HTTP+SSE: messages to the agent. */
  rpc: '/acp/rpc',
  /** HTTP+SSE: messages to the client. */
  sse: '/acp/sse',
  /** Plain POST: a request, and its answer in the body. */
  post: '/acp/post',
} as const;

/** The query parameter by which HTTP+SSE tells its clients apart. */
export const CLIENT_ID_PARAMETER = 'client_id';

/** Whether a `Content-Type` names this type, whatever its parameters and letter case. */
export function isContentType(header: string | null | undefined, type: string): boolean {
  const [name = ''] = (header ?? '').split(';', 1);
  return name.trim().toLowerCase() === type;
}
