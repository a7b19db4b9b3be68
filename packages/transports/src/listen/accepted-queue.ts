import type { Transport } from '@parley/jsonrpc';
import type { AcceptedConnection } from './listener.ts';

/** Connections on their way from the server to whoever serves them. What waits is bounded, since open connections are. */
export class AcceptedQueue implements AsyncIterable<AcceptedConnection> {
  readonly #waiting: AcceptedConnection[] = [];
  readonly #readers: ((result: IteratorResult<AcceptedConnection>) => void)[] = [];
  #isClosed = false;

  push(connection: AcceptedConnection): void {
    const reader = this.#readers.shift();
    if (reader) reader({ done: false, value: connection });
    else this.#waiting.push(connection);
  }

  /** Nobody need serve a connection that is over. */
  remove(transport: Transport): void {
    const index = this.#waiting.findIndex((each) => each.transport === transport);
    if (index !== -1) this.#waiting.splice(index, 1);
  }

  close(): void {
    this.#isClosed = true;
    for (const reader of this.#readers.splice(0)) reader({ done: true, value: undefined });
  }

  [Symbol.asyncIterator](): AsyncIterator<AcceptedConnection> {
    return {
      next: () => {
        const value = this.#waiting.shift();
        if (value) return Promise.resolve({ done: false, value });
        if (this.#isClosed) return Promise.resolve({ done: true, value: undefined });
        return new Promise((resolve) => this.#readers.push(resolve));
      },
    };
  }
}
