import { Backpressure } from './backpressure.ts';
import type { Connection, Tap } from './connection.ts';
import type { ConnectionOptions } from './connection-options.ts';
import { createThrottledReport, type Report, type ReportFields } from './diagnostics.ts';
import { ConnectionClosedError, PeerNotReadingError, RpcError, TransportClosedError } from './errors.ts';
import { IncomingRequest, type RequestContext } from './incoming-request.ts';
import { IncomingRequests, type RequestHandler } from './incoming-requests.ts';
import { type ConnectionLimits, DEFAULT_CONNECTION_LIMITS } from './limits.ts';
import { isRequestId, type Message, type RequestId, type Response } from './message.ts';
import { type NotificationHandler, NotificationHandlers } from './notification-handlers.ts';
import { OutgoingRequests, type RequestOptions } from './outgoing-requests.ts';
import type { CloseReason, Transport, TransportFault } from './transport.ts';

/** Puts a connection on a transport and starts reading. Register handlers at once, before the first message arrives. */
export function createConnection(transport: Transport, options: ConnectionOptions = {}): Connection {
  return new PeerConnection(transport, options);
}

const CANCEL_REQUEST = '$/cancel_request';

/** A peer that was refused so often without reading one of the refusals will not begin to. */
const MAX_UNREAD_REFUSALS = 10_000;

class PeerConnection implements Connection {
  readonly #transport: Transport;
  readonly #limits: ConnectionLimits;
  readonly #hasStrictIds: () => boolean;
  readonly #report: Report;
  readonly #requestHandlers = new Map<string, RequestHandler>();
  readonly #notificationHandlers: NotificationHandlers;
  readonly #incoming: IncomingRequests;
  readonly #outgoing: OutgoingRequests;
  readonly #backpressure: Backpressure;
  readonly #taps = new Set<Tap>();
  #anyRequest: RequestHandler | undefined;
  #anyNotification: NotificationHandler | undefined;
  /** Errors in a row for a peer that does not read. */
  #refusals = 0;
  #closeReason: CloseReason | undefined;
  #isReleased = false;
  #controller: AbortController | undefined;
  #resolveClosed: (reason: CloseReason) => void = () => {};
  readonly closed: Promise<CloseReason>;

  constructor(transport: Transport, options: ConnectionOptions) {
    this.#transport = transport;
    this.#limits = { ...DEFAULT_CONNECTION_LIMITS, ...options.limits };
    const { strictIds = false } = options;
    this.#hasStrictIds = typeof strictIds === 'function' ? strictIds : () => strictIds;
    this.#report = createThrottledReport(options.onDiagnostic, {
      maxPerKind: this.#limits.maxDiagnosticsPerKind,
      sessionIdOf: options.sessionIdOf,
    });
    this.#notificationHandlers = new NotificationHandlers((method, params, error) =>
      this.#report('handler_failed', `The handler of ${method} failed.`, { direction: 'in', method, params, error }),
    );
    this.#backpressure = new Backpressure({
      transport,
      maxUnsentBytes: this.#limits.maxUnsentAnswerBytes,
      mustRead: () => this.#outgoing.size > 0,
    });
    this.#incoming = new IncomingRequests({
      maxRunning: this.#limits.maxRunningRequests,
      exposeErrors: options.exposeErrors ?? false,
      report: this.#report,
      sendResult: (request, result) => this.#sendResult(request, result),
      sendError: (id, error) => this.#sendError(id, error),
      onFull: () => this.#backpressure.setBusy(true),
      onRoom: () => this.#backpressure.setBusy(false),
    });
    this.#outgoing = new OutgoingRequests({
      maxAbandoned: this.#limits.maxAbandonedRequests,
      tellPeer: (requestId) => void this.notify(CANCEL_REQUEST, { requestId }),
    });
    this.closed = new Promise((resolve) => {
      this.#resolveClosed = resolve;
    });
    transport.onFault((fault) => this.#answerFault(fault));
    transport.onClose((reason) => void this.#end(reason));
    transport.onMessage((value) => this.#dispatch(value));
  }

  onRequest(method: string, handler: RequestHandler): void {
    this.#requestHandlers.set(method, handler);
  }

  onNotification(method: string, handler: NotificationHandler): () => void {
    return this.#notificationHandlers.add(method, handler);
  }

  onAnyRequest(handler: RequestHandler): void {
    this.#anyRequest = handler;
  }

  onAnyNotification(handler: NotificationHandler): void {
    this.#anyNotification = handler;
  }

  request<Result>(method: string, params?: unknown, options?: RequestOptions): Promise<Result> {
    if (options?.signal?.aborted) return Promise.reject(options.signal.reason);
    if (this.#closeReason) return Promise.reject(ConnectionClosedError.because(this.#closeReason, method));
    const id = this.#outgoing.nextId();
    const answer = this.#outgoing.wait(id, method, options);
    try {
      void this.#send(params === undefined ? { jsonrpc: '2.0', id, method } : { jsonrpc: '2.0', id, method, params });
    } catch (error) {
      this.#outgoing.withdraw(id, error);
    }
    this.#backpressure.update();
    return answer as Promise<Result>;
  }

  notify(method: string, params?: unknown): void | Promise<void> {
    if (this.#closeReason) return;
    return this.#send(params === undefined ? { jsonrpc: '2.0', method } : { jsonrpc: '2.0', method, params });
  }

  tap(tap: Tap): () => void {
    this.#taps.add(tap);
    return () => this.#taps.delete(tap);
  }

  pause(): void {
    this.#backpressure.pause();
  }

  resume(): void {
    this.#backpressure.resume();
  }

  get signal(): AbortSignal {
    if (!this.#controller) {
      this.#controller = new AbortController();
      if (this.#closeReason) this.#controller.abort(ConnectionClosedError.because(this.#closeReason));
    }
    return this.#controller.signal;
  }

  get isClosed(): boolean {
    return this.#closeReason !== undefined;
  }

  async close(): Promise<void> {
    void this.#end({ kind: 'closed' });
    await this.closed;
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close();
  }

  /** The one way in: called for each value in wire order. Must not throw, whatever the value is. */
  #dispatch(value: unknown): void {
    if (this.#taps.size > 0) for (const tap of this.#taps) tap('in', value);
    if (typeof value !== 'object' || value === null) return this.#refuse(null, 'a message must be an object');
    if (Array.isArray(value)) return this.#refuse(null, 'JSON-RPC batches are not supported');
    const message = value as Record<string, unknown>;
    const { jsonrpc, id, method } = message;
    if (method === undefined) return this.#dispatchResponse(message);
    if (typeof method !== 'string') return this.#refuse(null, 'method must be a string');
    if (id === undefined) {
      if (jsonrpc !== '2.0') return this.#refuse(null, 'jsonrpc must be "2.0"');
      return this.#dispatchNotification(method, message.params);
    }
    if (!isRequestId(id, this.#hasStrictIds())) return this.#refuse(null, 'id must be a string or an integer');
    if (jsonrpc !== '2.0') return this.#refuse(id, 'jsonrpc must be "2.0"');
    this.#dispatchRequest(id, method, message.params);
  }

  #dispatchNotification(method: string, params: unknown): void {
    if (method === CANCEL_REQUEST) return this.#cancelIncoming(params);
    const handler = this.#notificationHandlers.get(method) ?? this.#anyNotification;
    if (handler) return this.#notificationHandlers.call(handler, params, method);
    const fields = { direction: 'in', method, params } as const;
    this.#report('unknown_notification', `Ignored notification ${method}: it has no handler.`, fields);
  }

  #cancelIncoming(params: unknown): void {
    const { requestId } = (params ?? {}) as { requestId?: RequestId };
    if (requestId !== undefined) this.#incoming.cancel(requestId);
  }

  #dispatchRequest(id: RequestId, method: string, params: unknown): void {
    if (params !== undefined && typeof params !== 'object') {
      return this.#sendError(id, RpcError.invalidParams('params: expected an object'));
    }
    if (this.#backpressure.isOverLimit) return this.#refuseUnread(id, method, params);
    const handler = this.#requestHandlers.get(method) ?? this.#anyRequest;
    if (!handler) return this.#sendError(id, RpcError.methodNotFound(method));
    this.#refusals = 0;
    this.#incoming.run(new IncomingRequest(id, method, params ?? undefined), handler);
  }

  /** Reading cannot stop now, for we wait for an answer too; so the peer is told no. */
  #refuseUnread(id: RequestId, method: string, params: unknown): void {
    const fields = { direction: 'in', method, id, params } as const;
    this.#report('overloaded', `Refused ${method}: the peer does not read the answers that it has.`, fields);
    this.#sendError(id, RpcError.internalError('Too many answers are unread; read them, then ask again.'));
  }

  #dispatchResponse(response: Record<string, unknown>): void {
    const { id, error } = response;
    if (id === undefined && response.result === undefined && error === undefined) {
      return this.#refuse(null, 'a message needs a method, a result or an error');
    }
    if (this.#outgoing.settle(id, response) !== 'unknown') return this.#backpressure.update();
    const what = id === null && error !== undefined ? 'The peer reports an error without an id' : 'Ignored a response';
    const fields: ReportFields = isRequestId(id) ? { direction: 'in', id } : { direction: 'in' };
    this.#report('unsolicited_response', `${what}: nothing here waits for it.`, fields);
  }

  #answerFault(fault: TransportFault): void {
    const { kind, detail } = fault;
    this.#report(kind === 'message_too_large' ? kind : 'invalid_input', detail, { direction: 'in' });
    this.#sendError(
      null,
      kind === 'invalid_json' ? RpcError.parseError() : RpcError.invalidRequest(`${FAULTS[kind]}: ${detail}`),
    );
  }

  #refuse(id: RequestId, why: string): void {
    const fields: ReportFields = id === null ? { direction: 'in' } : { direction: 'in', id };
    this.#report('invalid_message', `Refused a message: ${why}.`, fields);
    this.#sendError(id, RpcError.invalidRequest(`Invalid request: ${why}`));
  }

  #sendResult({ id, method, params }: RequestContext, result: unknown): void {
    if (this.#isReleased) return;
    try {
      this.#sendAnswer({ jsonrpc: '2.0', id, result: result === undefined ? null : result });
    } catch (error) {
      // A peer that is gone waits for no answer.
      if (error instanceof TransportClosedError) return;
      this.#report('send_failed', 'A result could not be sent.', { direction: 'out', method, id, params, error });
      this.#sendError(id, RpcError.internalError());
    }
  }

  #sendError(id: RequestId, error: RpcError): void {
    if (this.#isReleased) return;
    if (this.#backpressure.isOverLimit && ++this.#refusals > MAX_UNREAD_REFUSALS) {
      return void this.#end({ kind: 'failed', error: new PeerNotReadingError() });
    }
    try {
      this.#sendAnswer({ jsonrpc: '2.0', id, error: error.toJSON() });
    } catch (cause) {
      if (cause instanceof TransportClosedError) return;
      this.#report('send_failed', 'An error could not be sent.', { direction: 'out', id, error: cause });
    }
  }

  #sendAnswer(answer: Response): void {
    const wait = this.#send(answer);
    if (wait) this.#backpressure.hold(answer, wait);
  }

  #send(message: Message): void | Promise<void> {
    if (this.#taps.size > 0) for (const tap of this.#taps) tap('out', message);
    return this.#transport.send(message);
  }

  async #end(reason: CloseReason): Promise<void> {
    if (this.#closeReason) return;
    this.#closeReason = reason;
    this.#outgoing.rejectAll((method) => ConnectionClosedError.because(reason, method));
    this.#incoming.abortAll(ConnectionClosedError.because(reason));
    this.#controller?.abort(ConnectionClosedError.because(reason));
    // A peer that only closed its sending side still reads the answers to what it asked.
    if (reason.kind === 'ended') await this.#incoming.idle(this.#limits.closeGraceMs);
    this.#isReleased = true;
    await this.#transport.close();
    this.#resolveClosed(reason);
  }
}

const FAULTS = {
  message_too_large: 'Invalid request: the message is too large',
  bad_frame: 'Invalid request: the frame could not be read',
} as const;
