import { RequestTimeoutError, RpcError } from './errors.ts';
import { SharedAborts } from './shared-aborts.ts';

export interface RequestOptions {
  /** Gives up the request: the peer is told with `$/cancel_request`, and the promise rejects with the signal's reason. */
  readonly signal?: AbortSignal;
  /** Gives up the request when no answer came in time. Default: wait for as long as the connection lives. */
  readonly timeoutMs?: number;
  /**
   * Reads the result at its place in the order of the wire, before any later message reaches its handler. The promise
   * resolves with what it returns, and rejects with what it throws.
   */
  readonly read?: (result: unknown) => unknown;
}

interface OutgoingRequest {
  readonly method: string;
  readonly read: RequestOptions['read'];
  readonly resolve: (result: unknown) => void;
  readonly reject: (error: unknown) => void;
  /** Set only when the request has a signal or a timeout. */
  release?: () => void;
}

/** Our requests that wait for an answer. Ids are numbers counted from 1, so they never clash on this connection. */
export class OutgoingRequests {
  readonly #waiting = new Map<unknown, OutgoingRequest>();
  readonly #abandoned = new Set<unknown>();
  readonly #aborts = new SharedAborts();
  readonly #maxAbandoned: number;
  readonly #tellPeer: (id: number) => void;
  #lastId = 0;

  constructor(options: { readonly maxAbandoned: number; readonly tellPeer: (id: number) => void }) {
    this.#maxAbandoned = options.maxAbandoned;
    this.#tellPeer = options.tellPeer;
  }

  get size(): number {
    return this.#waiting.size;
  }

  nextId(): number {
    return ++this.#lastId;
  }

  /** Registers the request before it is sent, so that no answer can come too early. */
  wait(id: number, method: string, options: RequestOptions | undefined): Promise<unknown> {
    return new Promise((resolve, reject) => {
      const request: OutgoingRequest = { method, read: options?.read, resolve, reject };
      this.#waiting.set(id, request);
      if (options?.signal || options?.timeoutMs !== undefined) this.#watch(id, request, options);
    });
  }

  /** Withdraws a request that could not be sent. */
  withdraw(id: number, error: unknown): void {
    this.#take(id)?.reject(error);
  }

  /** Settles the request this response belongs to; tells whether anybody waits, or has waited, for it. */
  settle(
    id: unknown,
    response: { readonly result?: unknown; readonly error?: unknown },
  ): 'settled' | 'late' | 'unknown' {
    const request = this.#take(id);
    if (!request) return this.#abandoned.delete(id) ? 'late' : 'unknown';
    const hasResult = response.result !== undefined;
    // JSON-RPC 1.0 habits are harmless here: an error of null beside a result means no error.
    const hasError = response.error !== undefined && (response.error !== null || !hasResult);
    if (hasError && !hasResult) request.reject(parseError(response.error));
    else if (hasResult && !hasError) deliver(request, response.result);
    else
      request.reject(malformed(request.method, hasResult ? 'both a result and an error' : 'neither result nor error'));
    return 'settled';
  }

  rejectAll(errorFor: (method: string) => unknown): void {
    const requests = [...this.#waiting.values()];
    this.#waiting.clear();
    for (const request of requests) {
      request.release?.();
      request.reject(errorFor(request.method));
    }
  }

  #take(id: unknown): OutgoingRequest | undefined {
    const request = this.#waiting.get(id);
    if (!request) return undefined;
    this.#waiting.delete(id);
    request.release?.();
    return request;
  }

  #watch(id: number, request: OutgoingRequest, { signal, timeoutMs }: RequestOptions): void {
    const giveUp = (reason: unknown): void => {
      if (!this.#take(id)) return;
      this.#remember(id);
      this.#tellPeer(id);
      request.reject(reason);
    };
    const forget = signal && this.#aborts.add(signal, giveUp);
    const timer =
      timeoutMs === undefined
        ? undefined
        : setTimeout(() => giveUp(new RequestTimeoutError(request.method, timeoutMs)), timeoutMs);
    request.release = () => {
      forget?.();
      clearTimeout(timer);
    };
  }

  #remember(id: number): void {
    this.#abandoned.add(id);
    if (this.#abandoned.size <= this.#maxAbandoned) return;
    for (const oldest of this.#abandoned) {
      this.#abandoned.delete(oldest);
      break;
    }
  }
}

function deliver({ read, resolve, reject }: OutgoingRequest, result: unknown): void {
  if (!read) return resolve(result);
  try {
    resolve(read(result));
  } catch (error) {
    reject(error);
  }
}

function parseError(error: unknown): RpcError {
  if (typeof error !== 'object' || error === null) return malformed('the request', 'an error that is not an object');
  const { code, message, data } = error as { code?: unknown; message?: unknown; data?: unknown };
  if (typeof code !== 'number' || !Number.isInteger(code)) return malformed('the request', 'an error without a code');
  return new RpcError(code, typeof message === 'string' ? message : `Error ${code}`, data);
}

function malformed(method: string, what: string): RpcError {
  return RpcError.internalError(`The peer's answer to ${method} has ${what}.`);
}
