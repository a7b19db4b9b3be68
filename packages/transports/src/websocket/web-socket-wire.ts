import { isCleanClose } from '../network/close-codes.ts';
import type { InboxOptions } from '../network/inbox.ts';
import { InboxTransport } from '../network/inbox-transport.ts';
import { NetworkError } from '../network/network-error.ts';

export interface WebSocketWireOptions {
  /** The peer's name in errors. */
  readonly name: string;
  readonly maxDepth?: number;
  readonly keepsText?: boolean;
  readonly highWaterBytes?: number;
  readonly closeTimeoutMs?: number;
}

/** What both kinds of WebSocket share, that of `ws` and that of the platform: incoming messages, and how the wire ends. */
export abstract class WebSocketWire extends InboxTransport {
  /** What went wrong on this side, which the close code alone would not tell. */
  protected failure: NetworkError | undefined;
  readonly #name: string;
  #closing: Promise<void> | undefined;

  constructor({ name, maxDepth, keepsText }: WebSocketWireOptions, flow: Pick<InboxOptions, 'onHold' | 'onFlow'> = {}) {
    super({ ...(maxDepth !== undefined && { maxDepth }), ...(keepsText !== undefined && { keepsText }), ...flow });
    this.#name = name;
  }

  /** Closes the socket and waits for the peer to close it too, within bounds; undefined when it is closed already. */
  protected abstract closeSocket(): Promise<void> | undefined;

  protected get isClosing(): boolean {
    return this.#closing !== undefined;
  }

  close(): Promise<void> {
    this.#closing ??= this.#close();
    return this.#closing;
  }

  async #close(): Promise<void> {
    const closing = this.closeSocket();
    if (closing) await closing;
    this.inbox.discard({ kind: 'closed' });
  }

  /** The socket is closed. */
  protected end(code: number, reason: string): void {
    if (this.#closing) return;
    if (!this.failure && isCleanClose(code)) return this.inbox.end({ kind: 'ended' });
    const why = reason === '' ? `code ${code}` : `code ${code}: ${reason}`;
    this.inbox.end({ kind: 'failed', error: this.failure ?? this.lost(why, code) });
  }

  protected lost(why: string, closeCode?: number): NetworkError {
    const message = `The connection to ${this.#name} was lost (${why}).`;
    return new NetworkError({ kind: 'dropped', message, closeCode });
  }
}
