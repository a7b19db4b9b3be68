import { ParleyError } from '@parley/jsonrpc';
import type { TerminalExitStatus } from '@parley/protocol';
import type { TerminalOutput, Wire } from './wire/wire.ts';

export interface WaitOptions {
  readonly signal?: AbortSignal;
  /** Gives up waiting; the command goes on. Default: wait for as long as the turn lasts. */
  readonly timeoutMs?: number;
}

/** A command that runs at the client. It is released at the end of `await using`, and at the latest with its turn. */
export interface Terminal extends AsyncDisposable {
  readonly id: string;
  /** What it has written so far. */
  output(): Promise<TerminalOutput>;
  waitForExit(options?: WaitOptions): Promise<TerminalExitStatus>;
  /** Stops the command; its output and exit stay readable. */
  kill(): Promise<void>;
  /** Stops the command if it runs, and gives the terminal back. Doing it twice is fine. */
  release(): Promise<void>;
}

export interface ClientTerminalOptions {
  readonly wire: Wire;
  readonly sessionId: string;
  readonly terminalId: string;
  readonly signal: AbortSignal;
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

  async output(): Promise<TerminalOutput> {
    const { wire, signal } = this.#options;
    return wire.terminalOutput(this.#requireKey(), { signal });
  }

  async waitForExit({ signal, timeoutMs }: WaitOptions = {}): Promise<TerminalExitStatus> {
    const { wire, signal: turnSignal } = this.#options;
    return wire.waitForTerminalExit(this.#requireKey(), {
      signal: signal && signal !== turnSignal ? AbortSignal.any([signal, turnSignal]) : turnSignal,
      ...(timeoutMs !== undefined && { timeoutMs }),
    });
  }

  async kill(): Promise<void> {
    const { wire, signal } = this.#options;
    await wire.killTerminal(this.#requireKey(), { signal });
  }

  /** Does not heed the turn's signal: a cancelled turn releases its terminals too. */
  release(): Promise<void> {
    if (!this.#released) {
      const { wire, onRelease } = this.#options;
      onRelease(this);
      this.#released = wire.releaseTerminal(this.#key, {});
    }
    return this.#released;
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.release();
  }

  get #key(): { readonly sessionId: string; readonly terminalId: string } {
    return { sessionId: this.#options.sessionId, terminalId: this.id };
  }

  #requireKey(): { readonly sessionId: string; readonly terminalId: string } {
    if (!this.#released) return this.#key;
    throw new ParleyError('terminal_released', `Terminal ${this.id} was released; create a new one.`);
  }
}
