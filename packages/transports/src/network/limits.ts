/** The largest body of a POST. A WebSocket message may have `DEFAULT_MAX_MESSAGE_BYTES`. */
export const DEFAULT_MAX_BODY_BYTES: number = 16 * 1024 * 1024;

/** The longest id of a connection, a session, a client or an event in a header or a query. */
export const MAX_ID_LENGTH = 1024;

/** How much of the body of a refusal is read and shown. */
export const MAX_ERROR_BODY_BYTES: number = 8 * 1024;

/** A WebSocket is pinged this often. */
export const DEFAULT_PING_EVERY_MS = 20_000;

/** After this many pings, or keep-alive comments, in a row that did not come, the peer is taken for dead. */
export const MAX_MISSED_PINGS = 2;

/** How often an idle stream of streamable HTTP carries a comment. */
export const DEFAULT_KEEP_ALIVE_MS = 15_000;

/** The same for HTTP+SSE. */
export const DEFAULT_SSE_KEEP_ALIVE_MS = 5000;

/** A peer that takes nothing for this long, while something waits for it, is dropped. */
export const DEFAULT_MAX_STALL_MS = 60_000;
