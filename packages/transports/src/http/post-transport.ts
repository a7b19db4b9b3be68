import { isRequest } from '@parley/jsonrpc';
import { DEFAULT_CONNECT_TIMEOUT_MS } from '../network/dial-options.ts';
import { ANSWER_ON_STREAM, HEADERS } from '../network/headers.ts';
import { EventStream } from '../network/http/event-stream.ts';
import { DEFAULT_RESUME_MS, DEFAULT_SILENCE_MS } from '../network/http/http-client-options.ts';
import type { QueuedMessage } from '../network/http/post-queue.ts';
import { PostedWire, type PostedWireOptions } from '../network/http/posted-wire.ts';

export interface PostTransportOptions extends PostedWireOptions {
  readonly url: string;
  /** Called when the server has opened a stream for what the agent sends beside answers. */
  readonly onStream?: () => void;
}

/**
 * Plain POST: the answer to a request is the body. A server that names the connection may also have a stream (`GET` of the same
 * address) for updates and for questions of the agent; without one, they cannot be received.
 */
export class PostTransport extends PostedWire {
  readonly #url: string;
  readonly #onStream: () => void;
  #connection: Readonly<Record<string, string>> = {};
  #stream: EventStream | undefined;
  #isStreaming = false;

  constructor(options: PostTransportOptions) {
    super(options);
    this.#url = options.url;
    this.#onStream = options.onStream ?? (() => {});
  }

  /** A request may take long, and others must not wait for it; everything else goes in order. */
  protected override async post(entry: QueuedMessage): Promise<void> {
    const { message } = entry;
    const posting = this.#exchange(entry);
    const isFirst = 'method' in message && message.method === 'initialize';
    if (isFirst || !isRequest(message)) await posting;
  }

  async #exchange(entry: QueuedMessage): Promise<void> {
    const headers = { ...this.#connection, ...(this.#isStreaming && { accept: ANSWER_ON_STREAM }) };
    const response = await this.exchange(entry, this.#url, headers);
    const id = response?.headers.get(HEADERS.connectionId);
    if (!id) return;
    this.#connection = { [HEADERS.connectionId]: id };
    await this.#openStream();
  }

  /** Once for each connection. A server that refuses the stream has none, and serves on without it. */
  #openStream(): Promise<void> {
    const { connectTimeoutMs = DEFAULT_CONNECT_TIMEOUT_MS, resumeMs = DEFAULT_RESUME_MS } = this.options;
    this.#stream ??= new EventStream({
      requester: this.requester,
      url: this.#url,
      headers: this.#connection,
      inbox: this.inbox,
      connectTimeoutMs,
      resumeMs,
      silenceMs: this.options.silenceMs ?? DEFAULT_SILENCE_MS,
      maxMessageBytes: this.options.maxMessageBytes,
      onOpen: () => {
        this.#isStreaming = true;
        this.#onStream();
      },
      onEnd: () => this.end(),
      onLost: (error) => this.#isStreaming && this.fail(error),
    });
    return this.#stream.opened;
  }

  protected override stopReading(): void {
    this.#stream?.close();
  }

  /** A server that gave the connection a name may keep it for a while; one that did not has nothing to end. */
  protected override async leave(): Promise<void> {
    if (!(HEADERS.connectionId in this.#connection)) return;
    const controller = new AbortController();
    const headers = this.#connection;
    await this.requester.send({ method: 'DELETE', url: this.#url, headers, controller, timeoutMs: LEAVE_MS });
    controller.abort();
  }
}

/** How long the server may take to hear that we leave. */
const LEAVE_MS = 2000;
