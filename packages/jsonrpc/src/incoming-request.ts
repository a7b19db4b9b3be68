import { RpcError } from './errors.ts';
import type { RequestId } from './message.ts';

/** What a request handler gets: one object, so that handlers name only what they use. */
export interface RequestContext {
  readonly id: RequestId;
  readonly method: string;
  readonly params: unknown;
  /** Aborts when the peer cancels this request or the connection closes. Pass it on to whatever the handler waits for. */
  readonly signal: AbortSignal;
}

/** A request of the peer while its handler runs. The AbortController exists only once somebody looks at `signal`. */
export class IncomingRequest implements RequestContext {
  readonly id: RequestId;
  readonly method: string;
  readonly params: unknown;
  #controller: AbortController | undefined;
  #abortReason: unknown;
  #isAborted = false;

  constructor(id: RequestId, method: string, params: unknown) {
    this.id = id;
    this.method = method;
    this.params = params;
  }

  get signal(): AbortSignal {
    if (!this.#controller) {
      this.#controller = new AbortController();
      if (this.#isAborted) this.#controller.abort(this.#abortReason);
    }
    return this.#controller.signal;
  }

  get isAborted(): boolean {
    return this.#isAborted;
  }

  abort(reason: unknown): void {
    if (this.#isAborted) return;
    this.#isAborted = true;
    this.#abortReason = reason;
    this.#controller?.abort(reason);
  }

  /** What to tell the peer when the handler failed. Only an `RpcError` was meant for the peer's eyes. */
  errorFor(thrown: unknown, exposeErrors: boolean): RpcError {
    if (thrown instanceof RpcError) return thrown;
    if (this.#isAborted) return RpcError.requestCancelled();
    return RpcError.internalError(exposeErrors && thrown instanceof Error ? thrown.message : undefined);
  }
}
