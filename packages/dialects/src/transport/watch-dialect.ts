import type { CloseReason, Message, Transport, TransportFault } from '@parley/jsonrpc';
import { detectByLogin, detectByParams, detectByResult, detectByWire, isCanonicalInitialize } from '../detect.ts';
import { type Fields, isRecord } from '../fields.ts';
import type { DialectChoice, DialectOptions } from '../options.ts';
import { Past } from './past.ts';

export type WatchDialectOptions = Omit<DialectOptions, 'dialect'>;

/**
 * Lets canonical ACP pass as it is, and goes on in the peer's dialect from the first message that shows one. Translating is
 * loaded only then. Once a peer has shown that it is canonical, its messages take the direct way.
 */
export function watchDialect(transport: Transport, options: WatchDialectOptions = {}): Transport {
  return new WatchedTransport(transport, options);
}

class WatchedTransport implements Transport {
  readonly #inner: Transport;
  readonly #options: WatchDialectOptions;
  /** Undefined once the dialect is decided. */
  #past: Past | undefined = new Past();
  /** Where messages go: the wire itself, or the dialect on it. */
  #target: Transport;
  /** While translating is being loaded: resolves when it is there. */
  #loading: Promise<void> | undefined;
  #unsent: Message[] = [];
  #hasPeerInfo = false;
  #isPaused = false;
  #isClosed = false;
  #listener: ((value: unknown) => void) | undefined;
  #faultListener: ((fault: TransportFault) => void) | undefined;
  #closeListener: ((reason: CloseReason) => void) | undefined;

  constructor(inner: Transport, options: WatchDialectOptions) {
    this.#inner = inner;
    this.#target = inner;
    this.#options = options;
  }

  send(message: Message): void | Promise<void> {
    if (!this.#past) return this.#target.send(message);
    if (this.#loading) {
      this.#unsent.push(message);
      return this.#loading;
    }
    // Checked in this order for the sake of updates, which nothing has to be known of.
    if (!('method' in message)) this.#past.answered('out', message as unknown as Fields);
    else if ('id' in message) this.#past.asked('out', message as unknown as Fields);
    return this.#inner.send(message);
  }

  onMessage(listener: (value: unknown) => void): void {
    this.#listener = listener;
    if (this.#past) this.#inner.onMessage((value) => this.#receive(value));
    else this.#target.onMessage(listener);
  }

  onFault(listener: (fault: TransportFault) => void): void {
    this.#faultListener = listener;
    this.#target.onFault(listener);
  }

  onClose(listener: (reason: CloseReason) => void): void {
    this.#closeListener = listener;
    if (!this.#loading) this.#target.onClose(listener);
  }

  pause(): void {
    this.#isPaused = true;
    this.#target.pause();
  }

  resume(): void {
    this.#isPaused = false;
    if (!this.#loading) this.#target.resume();
  }

  close(): Promise<void> {
    this.#isClosed = true;
    return this.#target.close();
  }

  #receive(value: unknown): void {
    const past = this.#past;
    if (!past || !isRecord(value)) return this.#listener?.(value);
    const { method, id, params } = value;
    if (method === 'session/update' && isRecord(params) && isRecord(params.update)) {
      const choice = isPlainChunk(params.update) ? undefined : detectByParams(method, params);
      if (choice) return this.#goOn(choice, value);
      past.updated(value, params.sessionId, params.update);
      return this.#listener?.(value);
    }
    if (typeof method === 'string' && id !== undefined) this.#receiveRequest(value, method, past);
    else if (typeof method !== 'string' && id !== undefined) this.#receiveResponse(value, past);
    else this.#listener?.(value);
  }

  #receiveRequest(request: Fields, method: string, past: Past): void {
    const params = isRecord(request.params) ? request.params : {};
    if (method === 'initialize') this.#meet(params, params.clientInfo, params.clientCapabilities);
    const choice = this.#past && (detectByParams(method, params) ?? this.#detectByCircumstances(method, params, past));
    if (choice) return this.#goOn(choice, request);
    past.asked('in', request);
    this.#listener?.(request);
  }

  #receiveResponse(response: Fields, past: Past): void {
    const method = past.methodOf('out', response);
    const { result } = response;
    if (method === 'initialize' && isRecord(result)) this.#meet(result, result.agentInfo, undefined);
    const choice = this.#past && method && this.#detectByResult(method, result);
    if (choice) return this.#goOn(choice, response);
    past.answered('in', response);
    // A named peer that has got through a whole turn without a foreign word has none.
    const isTurnEnd = method === 'session/prompt' && isRecord(result) && typeof result.stopReason === 'string';
    if (isTurnEnd && this.#hasPeerInfo) this.#stopWatching();
    this.#listener?.(response);
  }

  #detectByResult(method: string, result: unknown): DialectChoice | undefined {
    const isWelcome = method === 'initialize' && isRecord(result);
    return detectByResult(method, result, this.#hasPeerInfo) ?? (isWelcome ? detectByWire(this.#options) : undefined);
  }

  /** Looks at how the peer introduces itself. */
  #meet(introduction: Fields, info: unknown, capabilities: unknown): void {
    // Who offers terminals has more than the small dialect whose only mark is a null.
    this.#hasPeerInfo = isRecord(info) || (isRecord(capabilities) && capabilities.terminal === true);
    if (isCanonicalInitialize(introduction)) this.#stopWatching();
  }

  /** What a message shows only together with its wire, or with what came before. */
  #detectByCircumstances(method: string, params: Fields, past: Past): DialectChoice | undefined {
    if (method === 'initialize') return detectByWire(this.#options);
    const met = method === 'authenticate' ? past.introduction : undefined;
    return met && detectByLogin(met.params, met.result, params);
  }

  /** From here on the wire is used directly. */
  #stopWatching(): void {
    this.#past = undefined;
    if (this.#listener) this.#inner.onMessage(this.#listener);
  }

  /** Goes on in a dialect, beginning with the message that has shown it. */
  #goOn(choice: DialectChoice, first: Fields): void {
    this.#inner.pause();
    this.#loading = this.#load(choice, first);
  }

  async #load(choice: DialectChoice, first: Fields): Promise<void> {
    const { continueInDialect } = await import('./with-dialect.ts');
    const past = this.#past;
    if (!past || this.#isClosed) return;
    const { transport, receive } = continueInDialect(this.#inner, {
      options: this.#options,
      choice,
      past: past.messages(),
    });
    this.#past = undefined;
    this.#loading = undefined;
    this.#target = transport;
    if (this.#faultListener) transport.onFault(this.#faultListener);
    if (this.#closeListener) transport.onClose(this.#closeListener);
    if (this.#listener) transport.onMessage(this.#listener);
    if (this.#isPaused) transport.pause();
    receive(first);
    for (const message of this.#unsent.splice(0)) void transport.send(message);
    if (!this.#isPaused) transport.resume();
  }
}

/** The hot path: most of what an agent says looks the same in most dialects. */
function isPlainChunk({ sessionUpdate: tag, content }: Fields): boolean {
  return tag === 'agent_message_chunk' && isRecord(content) && content.type === 'text';
}
