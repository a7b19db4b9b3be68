import { ParleyError } from '@parley/jsonrpc';
import type { TerminalExitStatus } from '@parley/protocol';
import type { Terminal, WaitOptions } from '../contract/client.ts';
import type { ClientPeer, TerminalKey, TerminalOutput } from '../contract/client-peer.ts';
import { unawaited } from '../promises.ts';

export interface ClientTerminalOptions {
  readonly peer: ClientPeer;
  readonly sessionId: string;
  readonly terminalId: string;
  readonly signal: AbortSignal;
  readonly whenShown: (() => Promise<void> | undefined) | undefined;
  readonly onRelease: (terminal: ClientTerminal) => void;
}

export class ClientTerminal implements Terminal {
  readonly id: string;
  readonly #options: ClientTerminalOptions;
  #released: Promise<void> | undefined;

  constructor(options: ClientTerminalOptions) {
    this.id = options.terminalId;
    this.#options = options;
  }

  output(): Promise<TerminalOutput> {
    return this.#call(({ peer, signal }, key) => peer.terminalOutput(key, { signal }));
  }

  waitForExit({ signal: own, timeoutMs }: WaitOptions = {}): Promise<TerminalExitStatus> {
    return this.#call(({ peer, signal }, key) => {
      const until = own && own !== signal ? AbortSignal.any([own, signal]) : signal;
      return peer.waitForTerminalExit(key, { signal: until, ...(timeoutMs !== undefined && { timeoutMs }) });
    });
  }

  kill(): Promise<void> {
    return this.#call(({ peer, signal }, key) => peer.killTerminal(key, { signal }));
  }

  /** Does not heed the turn's signal: a cancelled turn releases its terminals too. */
  release(): Promise<void> {
    if (!this.#released) {
      const { peer, onRelease, whenShown } = this.#options;
      onRelease(this);
      const release = (): Promise<void> => peer.releaseTerminal(this.#key, {});
      // A tool call that shows the terminal must be on the wire before the terminal is gone.
      this.#released = unawaited(whenShown?.()?.then(release) ?? release());
    }
    return this.#released;
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.release();
  }

  get #key(): TerminalKey {
    return { sessionId: this.#options.sessionId, terminalId: this.id };
  }

  #call<T>(call: (options: ClientTerminalOptions, key: TerminalKey) => Promise<T>): Promise<T> {
    if (!this.#released) return unawaited(call(this.#options, this.#key));
    const message = `Terminal ${this.id} was released; create a new one.`;
    return unawaited(Promise.reject(new ParleyError('terminal_released', message)));
  }
}
