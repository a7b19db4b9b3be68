import type { RpcError } from '@parley/jsonrpc';
import { errorOfKind } from '@parley/protocol';
import type { Capped } from '../events/gateway-event.ts';
import type { Caps } from './caps.ts';
import { TokenBucket } from './token-bucket.ts';

/** After this long, what is capped by number is worth another try. */
const RETRY_AFTER_MS = 1000;

export type Cap = Capped['cap'];

/** What one principal has and uses, against its caps. */
export class Account {
  readonly caps: Caps;
  readonly #onCapped: (cap: Cap, limit: number) => void;
  readonly #requests: TokenBucket | undefined;
  readonly #bytes: TokenBucket | undefined;
  /** The sessions that are open, by agent and id, and how many are being opened. */
  readonly #sessions = new Set<string>();
  #opening = 0;
  #connections = 0;
  #processes = 0;
  /** The caps that were reached and told of, until there is room again. */
  readonly #told = new Set<Cap>();

  constructor(caps: Caps, onCapped: (cap: Cap, limit: number) => void) {
    this.caps = caps;
    this.#onCapped = onCapped;
    const { requestsPerSecond, bytesPerSecond } = caps;
    this.#requests = Number.isFinite(requestsPerSecond) ? new TokenBucket(requestsPerSecond) : undefined;
    this.#bytes = Number.isFinite(bytesPerSecond) ? new TokenBucket(bytesPerSecond) : undefined;
  }

  /** Takes a place for a connection; returns what gives it back, or why there is none. */
  connect(): (() => void) | RpcError {
    if (this.#connections >= this.caps.connections)
      return this.#refuse(
        'connections',
        `At most ${this.caps.connections} connections of yours may be open; close one.`,
      );
    this.#connections += 1;
    return once(() => {
      this.#connections -= 1;
      this.#told.delete('connections');
    });
  }

  /** Takes a place for a process; returns what gives it back, or why there is none. */
  startProcess(): (() => void) | RpcError {
    const { processes } = this.caps;
    if (this.#processes >= processes) {
      const what = `At most ${processes} agent processes of yours may run; close a session, or wait until one is idle.`;
      return this.#refuse('processes', what);
    }
    this.#processes += 1;
    return once(() => {
      this.#processes -= 1;
      this.#told.delete('processes');
    });
  }

  /** Takes a place for a session that is being opened; it counts by itself once it is open. */
  openSession(key: string | undefined): (() => void) | RpcError {
    const { sessions } = this.caps;
    if (key !== undefined && this.#sessions.has(key)) return NOTHING;
    if (this.#sessions.size + this.#opening >= sessions)
      return this.#refuse('sessions', `At most ${sessions} sessions of yours may be open; close one.`);
    this.#opening += 1;
    return once(() => {
      this.#opening -= 1;
    });
  }

  sessionOpened(key: string): void {
    this.#sessions.add(key);
  }

  sessionClosed(key: string): void {
    this.#sessions.delete(key);
    this.#told.delete('sessions');
  }

  /** Why one more request cannot be taken now. */
  request(): RpcError | undefined {
    const waitMs = this.#requests?.take(1) ?? 0;
    if (waitMs === 0) {
      this.#told.delete('requestsPerSecond');
      return undefined;
    }
    const what = `Too many requests: at most ${this.caps.requestsPerSecond} a second; try again in ${waitMs} ms.`;
    return this.#refuse('requestsPerSecond', what, waitMs);
  }

  /** Counts a notification, which cannot be refused: how long to read nothing more. */
  notify(): number {
    const waitMs = this.#requests?.spend(1) ?? 0;
    if (waitMs > 0) this.#tell('requestsPerSecond');
    return waitMs;
  }

  /** How long to read nothing more, so many bytes having come. */
  receive(bytes: number): number {
    const waitMs = this.#bytes?.spend(bytes) ?? 0;
    if (waitMs === 0) this.#told.delete('bytesPerSecond');
    else this.#tell('bytesPerSecond');
    return waitMs;
  }

  /** Told of once, until there was room again: a client that asks and asks must not fill the logs. */
  #tell(cap: Cap): void {
    if (this.#told.has(cap)) return;
    this.#told.add(cap);
    this.#onCapped(cap, this.caps[cap]);
  }

  #refuse(cap: Cap, message: string, retryAfterMs = RETRY_AFTER_MS): RpcError {
    this.#tell(cap);
    return errorOfKind('busy', { message, data: { reason: 'capped', cap, limit: this.caps[cap], retryAfterMs } });
  }
}

const NOTHING = (): void => {};

function once(work: () => void): () => void {
  let isDone = false;
  return () => {
    if (isDone) return;
    isDone = true;
    work();
  };
}
