import type { RequestHandler } from './incoming-requests.ts';
import type { NotificationHandler } from './notification-handlers.ts';
import type { RequestOptions } from './outgoing-requests.ts';
import type { CloseReason } from './transport.ts';

/** Sees one message as it passes. Must not throw, and must not change the message. */
export type Tap = (direction: 'in' | 'out', message: unknown) => void;

/**
 * Pairs requests with responses and dispatches to handlers, with one peer at the far end.
 *
 * Messages reach handlers in wire order, synchronously. So by the time a request's promise resolves, every notification
 * that the peer sent before its answer has been handled.
 */
export interface Connection extends AsyncDisposable {
  /** Answers requests for `method`; a later handler replaces an earlier one. */
  onRequest(method: string, handler: RequestHandler): void;
  /** Takes notifications of `method`, beside those who take it already, after them. Returns a function that ends it. */
  onNotification(method: string, handler: NotificationHandler): () => void;
  /** Answers every request that has no handler of its own. Default: -32601. */
  onAnyRequest(handler: RequestHandler): void;
  /** Takes every notification that has no handler of its own. Default: ignored. */
  onAnyNotification(handler: NotificationHandler): void;
  request<Result = unknown>(method: string, params?: unknown, options?: RequestOptions): Promise<Result>;
  /** Returns a promise only when the peer reads too slowly. On a closed connection it does nothing. */
  notify(method: string, params?: unknown): void | Promise<void>;
  /** Sees every message of both directions. Returns a function that ends it. */
  tap(tap: Tap): () => void;
  /** Stops reading: nothing more is dispatched, answers neither, and the peer is slowed down. Nothing is lost. */
  pause(): void;
  resume(): void;
  /** Aborts when the connection closes. */
  readonly signal: AbortSignal;
  readonly isClosed: boolean;
  /** Resolves, never rejects, when the connection has ended. */
  readonly closed: Promise<CloseReason>;
  close(): Promise<void>;
}
