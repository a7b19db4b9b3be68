import type { Report } from './diagnostics.ts';
import { RpcError } from './errors.ts';
import { isPromise } from './guards.ts';
import type { IncomingRequest, RequestContext } from './incoming-request.ts';
import type { RequestId } from './message.ts';

/** Answers one request: its value, or the value of its promise, is the result. Throw an `RpcError` to answer with an error. */
export type RequestHandler = (context: RequestContext) => unknown;

/** What running requests need of their connection. */
export interface IncomingRequestsOptions {
  readonly maxRunning: number;
  readonly exposeErrors: boolean;
  readonly report: Report;
  readonly sendResult: (request: RequestContext, result: unknown) => void;
  readonly sendError: (id: RequestId, error: RpcError) => void;
  /** Called when the limit is reached. */
  readonly onFull: () => void;
  /** Called when a request has ended and there is room for another. */
  readonly onRoom: () => void;
}

/** The peer's requests whose handlers run: exactly one answer each, whatever the handler does. */
export class IncomingRequests {
  readonly #options: IncomingRequestsOptions;
  readonly #running = new Map<RequestId, IncomingRequest>();
  #onIdle: (() => void) | undefined;

  constructor(options: IncomingRequestsOptions) {
    this.#options = options;
  }

  run(request: IncomingRequest, handler: RequestHandler): void {
    const { report, sendError, maxRunning } = this.#options;
    const { id, method, params } = request;
    const fields = { direction: 'in', method, id, params } as const;
    if (this.#running.has(id)) {
      // An error under the same id would be taken for the answer to the first request.
      report('duplicate_id', `Refused ${method}: its id is in use by a running request.`, fields);
      return sendError(null, RpcError.invalidRequest(`Invalid request: id ${JSON.stringify(id)} is in use`));
    }
    if (this.#running.size >= maxRunning) {
      report('overloaded', `Refused ${method}: ${maxRunning} requests are running.`, fields);
      return sendError(id, RpcError.internalError(`Too many requests at once; at most ${maxRunning} may run.`));
    }
    let returned: unknown;
    try {
      returned = handler(request);
    } catch (error) {
      return this.#fail(request, error);
    }
    if (!isPromise(returned)) return this.#options.sendResult(request, returned);
    this.#running.set(id, request);
    if (this.#running.size === maxRunning) this.#options.onFull();
    returned.then(
      (result) => {
        this.#remove(id);
        this.#options.sendResult(request, result);
        this.#settled();
      },
      (error) => {
        this.#remove(id);
        this.#fail(request, error);
        this.#settled();
      },
    );
  }

  /** Aborts one request; an id that is not running is ignored. */
  cancel(id: RequestId): void {
    this.#running.get(id)?.abort(RpcError.requestCancelled());
  }

  abortAll(reason: unknown): void {
    for (const request of this.#running.values()) request.abort(reason);
  }

  /** Resolves when every handler has settled and its answer is sent, or after `graceMs`. */
  idle(graceMs: number): Promise<void> {
    if (this.#running.size === 0) return Promise.resolve();
    return new Promise((resolve) => {
      const timer = setTimeout(resolve, graceMs);
      this.#onIdle = () => {
        clearTimeout(timer);
        resolve();
      };
    });
  }

  #remove(id: RequestId): void {
    this.#running.delete(id);
    this.#options.onRoom();
  }

  #settled(): void {
    if (this.#running.size === 0) this.#onIdle?.();
  }

  #fail(request: IncomingRequest, thrown: unknown): void {
    const { report, exposeErrors, sendError } = this.#options;
    const isExpected = thrown instanceof RpcError || request.isAborted;
    if (!isExpected) {
      const { method, id, params } = request;
      report('handler_failed', `The handler of ${method} failed.`, {
        direction: 'in',
        method,
        id,
        params,
        error: thrown,
      });
    }
    sendError(request.id, request.errorFor(thrown, exposeErrors));
  }
}
