import type { CloseReason, Message, RpcError, Transport, TransportFault } from '@parley/jsonrpc';
import type { TrafficWire } from '../traffic/traffic-wire.ts';
import type { RequestEnded } from './gateway-event.ts';

export interface ServedWireOptions {
  /** Asked for every request of the client: why it is refused, or what is to be done when it has been answered. */
  readonly admit?: ((method: string, sessionId: string | undefined) => RpcError | (() => void) | undefined) | undefined;
  /** Told of every notification of the client; says how long to read nothing more. */
  readonly notify?: (() => number) | undefined;
  /** Told how much has come; says how long to read nothing more. */
  readonly receive?: ((bytes: number) => number) | undefined;
  /** Hears of every prompt as it comes, and how long it is. */
  readonly onPrompt?: ((sessionId: string, characters: number) => void) | undefined;
  /** Hears of every request that has come to its end. */
  readonly onRequest?: ((ended: EndedRequest) => void) | undefined;
  /** Takes every message as it passes, also what is refused. */
  readonly traffic?: TrafficWire | undefined;
}

export type EndedRequest = Omit<RequestEnded, 'kind' | 'at' | 'connection' | 'principal' | 'agent'>;

interface Pending {
  readonly direction: 'in' | 'out';
  readonly method: string;
  readonly id: string | number;
  readonly sessionId: string | undefined;
  readonly startedAt: number;
  readonly release: (() => void) | undefined;
}

interface Shape {
  readonly id?: string | number | null;
  readonly method?: unknown;
  readonly params?: { readonly sessionId?: unknown; readonly prompt?: unknown };
  readonly error?: { readonly code?: unknown };
}

/**
 * The wire of a client, on which the gateway looks at every message as it passes: what it refuses never reaches the agent, and
 * what comes to an end is told. Messages are passed on as they are.
 */
export class ServedWire implements Transport {
  readonly #wire: Transport;
  readonly #options: ServedWireOptions;
  readonly #incoming = new Map<string | number, Pending>();
  readonly #outgoing = new Map<string | number, Pending>();
  #onMessage: (value: unknown) => void = () => {};
  #onFault: (fault: TransportFault) => void = () => {};
  #onClose: (reason: CloseReason) => void = () => {};
  #receivedBytes = 0;
  #isPaused = false;
  /** Reads nothing, since too much has come. */
  #slowing: ReturnType<typeof setTimeout> | undefined;

  constructor(wire: Transport, options: ServedWireOptions) {
    this.#wire = wire;
    this.#options = options;
    if (wire.whenSent) this.whenSent = () => wire.whenSent?.() ?? Promise.resolve();
  }

  whenSent?: () => Promise<void>;

  get receivedBytes(): number {
    return this.#wire.receivedBytes ?? 0;
  }

  send(message: Message): void | Promise<void> {
    this.#see(message as Shape);
    this.#options.traffic?.pass('in', message);
    return this.#wire.send(message);
  }

  onMessage(listener: (value: unknown) => void): void {
    this.#onMessage = listener;
    this.#wire.onMessage((value) => this.#take(value));
  }

  onFault(listener: (fault: TransportFault) => void): void {
    this.#onFault = listener;
    this.#wire.onFault((fault) => {
      this.#count();
      this.#options.traffic?.passAside('noise', 'out', `${fault.kind}: ${fault.detail} (${fault.bytes} bytes)`);
      this.#onFault(fault);
    });
  }

  onClose(listener: (reason: CloseReason) => void): void {
    this.#onClose = listener;
    this.#wire.onClose((reason) => this.#end(reason));
  }

  pause(): void {
    this.#isPaused = true;
    this.#wire.pause();
  }

  resume(): void {
    this.#isPaused = false;
    if (this.#slowing === undefined) this.#wire.resume();
  }

  close(): Promise<void> {
    return this.#wire.close();
  }

  #take(value: unknown): void {
    if (this.#options.receive) this.#count();
    this.#options.traffic?.pass('out', value);
    if (typeof value !== 'object' || value === null) return this.#onMessage(value);
    const { method, id, params } = value as Shape;
    const isNamed = typeof id === 'string' || typeof id === 'number';
    if (typeof method !== 'string') this.#settle(this.#outgoing, value as Shape);
    else if (!isNamed) this.#slowDown(this.#options.notify?.() ?? 0);
    else if (!this.#admit(method, id, sessionIdOf(params))) return;
    if (method === 'session/prompt') this.#options.onPrompt?.(sessionIdOf(params) ?? '', lengthOf(params?.prompt));
    this.#onMessage(value);
  }

  /** Remembers a request of the client until it is answered; false when it was refused. */
  #admit(method: string, id: string | number, sessionId: string | undefined): boolean {
    const admitted = this.#options.admit?.(method, sessionId);
    const startedAt = performance.now();
    // The agent refuses the second of two requests with one id, in the name of both.
    this.#incoming.get(id)?.release?.();
    if (typeof admitted !== 'object') {
      if (this.#options.onRequest || admitted)
        this.#incoming.set(id, { direction: 'in', method, id, sessionId, startedAt, release: admitted });
      return true;
    }
    const pending: Pending = { direction: 'in', method, id, sessionId, startedAt, release: undefined };
    this.#tell(pending, 'refused', admitted.code);
    try {
      const refusal: Message = { jsonrpc: '2.0', id, error: admitted.toJSON() };
      this.#options.traffic?.pass('in', refusal);
      void this.#wire.send(refusal);
    } catch {
      // The client is gone.
    }
    return false;
  }

  /** Looks at what is sent: an answer to the client, or a request to it. */
  #see(message: Shape): void {
    const { id, method, params } = message;
    if (typeof method !== 'string') return this.#settle(this.#incoming, message);
    if (!this.#options.onRequest || id == null) return;
    const sessionId = sessionIdOf(params);
    this.#outgoing.set(id, {
      direction: 'out',
      method,
      id,
      sessionId,
      startedAt: performance.now(),
      release: undefined,
    });
  }

  #settle(requests: Map<string | number, Pending>, { id, error }: Shape): void {
    const pending = id == null ? undefined : requests.get(id);
    if (!pending) return;
    requests.delete(pending.id);
    pending.release?.();
    this.#tell(pending, error ? 'error' : 'ok', typeof error?.code === 'number' ? error.code : undefined);
  }

  #tell(
    { release: _, sessionId, startedAt, ...request }: Pending,
    outcome: EndedRequest['outcome'],
    code?: number,
  ): void {
    this.#options.onRequest?.({
      ...request,
      ...(sessionId !== undefined && { sessionId }),
      durationMs: performance.now() - startedAt,
      outcome,
      ...(code !== undefined && { code }),
    });
  }

  /** Counts what has come, and reads nothing more for as long as it is too much. */
  #count(): void {
    const received = this.#wire.receivedBytes ?? 0;
    const waitMs = this.#options.receive?.(received - this.#receivedBytes) ?? 0;
    this.#receivedBytes = received;
    this.#slowDown(waitMs);
  }

  #slowDown(waitMs: number): void {
    if (waitMs === 0 || this.#slowing !== undefined) return;
    this.#wire.pause();
    this.#slowing = setTimeout(() => {
      this.#slowing = undefined;
      if (!this.#isPaused) this.#wire.resume();
    }, waitMs);
  }

  #end(reason: CloseReason): void {
    clearTimeout(this.#slowing);
    for (const requests of [this.#incoming, this.#outgoing]) {
      for (const pending of requests.values()) {
        pending.release?.();
        this.#tell(pending, 'dropped');
      }
      requests.clear();
    }
    this.#onClose(reason);
  }
}

/** How much text and data the blocks of a prompt hold; no more is looked at. */
function lengthOf(prompt: unknown): number {
  if (!Array.isArray(prompt)) return 0;
  return prompt.reduce((sum: number, block: unknown) => {
    const { text, data } = (block ?? {}) as { readonly text?: unknown; readonly data?: unknown };
    return sum + (typeof text === 'string' ? text.length : 0) + (typeof data === 'string' ? data.length : 0);
  }, 0);
}

function sessionIdOf(params: Shape['params']): string | undefined {
  const sessionId = params?.sessionId;
  return typeof sessionId === 'string' ? sessionId : undefined;
}
