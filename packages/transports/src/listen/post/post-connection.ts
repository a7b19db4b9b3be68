import type { Message } from '@parley/jsonrpc';
import { ANSWER_ON_STREAM, HEADERS } from '../../network/headers.ts';
import { idKey } from '../../network/routing.ts';
import type { ListenLimits } from '../limits.ts';
import { EventTransport } from '../outgoing/event-transport.ts';
import type { PostedMessage } from '../server/body.ts';
import { type Exchange, type HttpResponse, headerOf, refuse, replyEmpty, replyJson } from '../server/exchange.ts';

export interface PostConnectionOptions {
  readonly id: string;
  readonly principal: string;
  readonly limits: ListenLimits;
  readonly onEnd: () => void;
}

/** What the agent hears when it asks a client that can only be answered. */
const CANNOT_BE_ASKED = {
  code: -32601,
  message: 'This client posts requests and reads their answers; it has no stream on which it could be asked.',
};

/** A client on plain POST: each answer is the body of the response to its request. */
export class PostConnection {
  readonly transport: EventTransport;
  readonly #options: PostConnectionOptions;
  /** The responses that wait for their answers, by the ids of the requests. */
  readonly #waiting = new Map<string, HttpResponse>();
  /** The requests that are answered on the stream, since their client reads it. */
  readonly #streamed = new Set<string>();
  /** What the agent has sent beside answers and nobody could be given, since the last answer. */
  #dropped = 0;
  /** The client has read a stream once, so what is sent beside answers waits for it to read on. */
  #hasReader = false;

  constructor(options: PostConnectionOptions) {
    this.#options = options;
    const { principal, limits } = options;
    this.transport = new EventTransport({
      principal,
      limits,
      keepAliveMs: limits.keepAliveMs,
      idleMs: limits.postIdleMs,
      isInUse: () => this.#waiting.size > 0,
      routeOf: (message, json) => this.#routeOf(message, json),
      onEnd: () => this.#end(),
    });
  }

  expectReader(): void {
    this.#hasReader = true;
  }

  async take({ message, bytes }: PostedMessage, { request, response }: Exchange): Promise<void> {
    if (!('method' in message) || message.id === undefined) {
      await this.transport.receive(message, bytes);
      return replyEmpty(response, 'method' in message ? 202 : 204);
    }
    const key = idKey(message.id);
    if (key.length > this.#options.limits.maxIdLength)
      return refuse(response, { status: 400, message: 'The id is too long' });
    if (this.#waiting.has(key) || this.#streamed.has(key))
      return refuse(response, { status: 409, message: 'A request with this id waits already' });
    if (this.#waiting.size + this.#streamed.size >= this.#options.limits.maxPendingRequests) {
      return refuse(response, { status: 429, message: 'Too many requests wait for their answers' });
    }
    if (this.#hasReader && headerOf(request, 'accept') === ANSWER_ON_STREAM) {
      this.#streamed.add(key);
      await this.transport.receive(message, bytes);
      return replyEmpty(response, 202);
    }
    this.#waiting.set(key, response);
    // Whoever leaves has not cancelled: the work goes on, and its answer has nowhere to go.
    response.once('close', () => this.#waiting.get(key) === response && this.#waiting.delete(key));
    await this.transport.receive(message, bytes);
  }

  #routeOf(message: Message, json: string): string | undefined {
    if (!('method' in message)) {
      const key = idKey(message.id);
      return this.#streamed.delete(key) ? '' : this.#answer(key, json);
    }
    if (this.#hasReader) return '';
    this.#dropped += 1;
    if ('id' in message) this.#refuse(message.id);
    return undefined;
  }

  #answer(key: string, json: string): undefined {
    const response = this.#waiting.get(key);
    if (!response) return;
    this.#waiting.delete(key);
    const dropped = this.#dropped;
    this.#dropped = 0;
    const headers = {
      [HEADERS.connectionId]: this.#options.id,
      ...(dropped > 0 && { 'acp-dropped-messages': String(dropped) }),
    };
    replyJson(response, { status: 200, json, headers });
  }

  /** In a later turn, so that the agent has sent its question before it hears the answer. */
  #refuse(id: unknown): void {
    queueMicrotask(() => void this.transport.receive({ jsonrpc: '2.0', id, error: CANNOT_BE_ASKED }, 0));
  }

  #end(): void {
    for (const response of this.#waiting.values()) {
      refuse(response, { status: 502, message: 'The connection ended before the answer' });
    }
    this.#waiting.clear();
    this.#streamed.clear();
    this.#options.onEnd();
  }
}
