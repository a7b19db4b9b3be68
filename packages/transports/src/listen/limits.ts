import { DEFAULT_MAX_DEPTH, DEFAULT_MAX_MESSAGE_BYTES } from '../framing/framing.ts';
import {
  DEFAULT_KEEP_ALIVE_MS,
  DEFAULT_MAX_BODY_BYTES,
  DEFAULT_MAX_STALL_MS,
  DEFAULT_PING_EVERY_MS,
  DEFAULT_SSE_KEEP_ALIVE_MS,
  MAX_ID_LENGTH,
} from '../network/limits.ts';

/** What a listener takes and keeps at most. Each has a default; a peer that goes beyond is told, never served silently. */
export interface ListenLimits {
  /** The largest WebSocket message; a larger one ends the connection with 1009. */
  readonly maxMessageBytes: number;
  /** The largest body of a POST; a larger one is refused with 413 while it still arrives. */
  readonly maxBodyBytes: number;
  /** The deepest nesting of a message. */
  readonly maxDepth: number;
  /** The header fields of one request, in bytes and by number: 431 beyond. */
  readonly maxHeaderBytes: number;
  readonly maxHeaders: number;
  /** How long the header of a request may take to arrive: 408 beyond. */
  readonly headerTimeoutMs: number;
  /** How long a whole request may take to arrive: 408 beyond, and the end of its socket. */
  readonly requestTimeoutMs: number;
  /** How long a WebSocket may take to send `initialize`: 1002 beyond. */
  readonly initializeMs: number;
  /** Sockets of all kinds; further ones are dropped at once. */
  readonly maxSockets: number;
  /** Connections that are open at one time: 503 beyond, or 1013. */
  readonly maxConnections: number;
  /** The same for each principal, or for one of them. Default: as many as there may be at all. */
  readonly maxConnectionsPerPrincipal: number | ((principal: string) => number);
  /** Streams for single sessions that one connection may have. */
  readonly maxSessionStreams: number;
  /** Requests of one connection that wait for their answers: 429 beyond. */
  readonly maxPendingRequests: number;
  /** What waits for a client to read it. Beyond it the connection ends as failed. */
  readonly maxQueueBytes: number;
  readonly maxQueueMessages: number;
  /** With more than this unsent, `send` returns a promise. */
  readonly highWaterBytes: number;
  /** What was sent on an event stream and is kept, so that a stream which was cut goes on without loss. */
  readonly replayBytes: number;
  readonly replayMessages: number;
  /** Ids in headers, queries and messages. */
  readonly maxIdLength: number;
  /** A connection with no stream and no request for this long ends. */
  readonly idleMs: number;
  /** The same on plain POST, where a client that reads no stream is the rule. */
  readonly postIdleMs: number;
  /** A reader that takes nothing for this long, while something waits for it, is dropped. */
  readonly stallMs: number;
  /** WebSockets are pinged this often, and dead after two pings without a sign of life. */
  readonly pingMs: number;
  /** How often an idle stream of streamable HTTP, and one of HTTP+SSE, carries a comment. */
  readonly keepAliveMs: number;
  readonly sseKeepAliveMs: number;
  /** How long `close` of one connection waits for a peer that does not read. */
  readonly closeTimeoutMs: number;
}

export const DEFAULT_LISTEN_LIMITS: ListenLimits = {
  maxMessageBytes: DEFAULT_MAX_MESSAGE_BYTES,
  maxBodyBytes: DEFAULT_MAX_BODY_BYTES,
  maxDepth: DEFAULT_MAX_DEPTH,
  maxHeaderBytes: 16 * 1024,
  maxHeaders: 100,
  headerTimeoutMs: 10_000,
  requestTimeoutMs: 45_000,
  initializeMs: 50_000,
  maxSockets: 4096,
  maxConnections: 1000,
  maxConnectionsPerPrincipal: Number.POSITIVE_INFINITY,
  maxSessionStreams: 1024,
  maxPendingRequests: 10_000,
  maxQueueBytes: 64 * 1024 * 1024,
  maxQueueMessages: 50_000,
  highWaterBytes: 256 * 1024,
  replayBytes: 1024 * 1024,
  replayMessages: 1024,
  maxIdLength: MAX_ID_LENGTH,
  idleMs: 120_000,
  postIdleMs: 1_800_000,
  stallMs: DEFAULT_MAX_STALL_MS,
  pingMs: DEFAULT_PING_EVERY_MS,
  keepAliveMs: DEFAULT_KEEP_ALIVE_MS,
  sseKeepAliveMs: DEFAULT_SSE_KEEP_ALIVE_MS,
  closeTimeoutMs: 2000,
};
