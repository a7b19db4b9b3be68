import type { CloseReason, Message, Transport, TransportFault } from '@parley/jsonrpc';
import { Inbox, type InboxOptions } from './inbox.ts';

/** A transport whose incoming messages go through an `Inbox`. The class that extends it sends and closes. */
export abstract class InboxTransport implements Transport {
  protected readonly inbox: Inbox;

  constructor(options: InboxOptions) {
    this.inbox = new Inbox(options);
  }

  abstract send(message: Message): void | Promise<void>;
  abstract whenSent(): Promise<void>;
  abstract close(): Promise<void>;

  onMessage(listener: (value: unknown) => void): void {
    this.inbox.onMessage(listener);
  }

  onFault(listener: (fault: TransportFault) => void): void {
    this.inbox.onFault(listener);
  }

  onClose(listener: (reason: CloseReason) => void): void {
    this.inbox.onClose(listener);
  }

  pause(): void {
    this.inbox.pause();
  }

  resume(): void {
    this.inbox.resume();
  }
}
