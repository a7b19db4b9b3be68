import { DEFAULT_CONNECT_TIMEOUT_MS } from '../network/dial-options.ts';
import { EventStream } from '../network/http/event-stream.ts';
import { DEFAULT_RESUME_MS } from '../network/http/http-client-options.ts';
import type { QueuedMessage } from '../network/http/post-queue.ts';
import { PostedWire, type PostedWireOptions } from '../network/http/posted-wire.ts';
import type { NetworkError } from '../network/network-error.ts';

/** Servers of this kind send a keep-alive every five seconds. */
const SILENCE_MS = 15_000;

/** How long the server may take to hear that we leave. */
const LEAVE_MS = 2000;

export interface SseTransportOptions extends PostedWireOptions {
  /** Where messages are posted, and where they are read, with the id of this client. */
  readonly rpcUrl: string;
  readonly sseUrl: string;
}

/** HTTP+SSE: messages are posted to one address, and all that the agent sends comes on the stream of another. */
export class SseTransport extends PostedWire {
  readonly #rpcUrl: string;
  readonly #sseUrl: string;
  #stream: EventStream | undefined;
  #failure: NetworkError | undefined;

  constructor(options: SseTransportOptions) {
    super(options);
    this.#rpcUrl = options.rpcUrl;
    this.#sseUrl = options.sseUrl;
  }

  /** Opens the stream; rejects with a `NetworkError` when the server does not. */
  async open(): Promise<void> {
    const { connectTimeoutMs = DEFAULT_CONNECT_TIMEOUT_MS, resumeMs = DEFAULT_RESUME_MS } = this.options;
    this.#stream = new EventStream({
      requester: this.requester,
      url: this.#sseUrl,
      headers: {},
      inbox: this.inbox,
      connectTimeoutMs,
      resumeMs,
      silenceMs: this.options.silenceMs ?? SILENCE_MS,
      maxMessageBytes: this.options.maxMessageBytes,
      onEnd: () => this.end(),
      onLost: (error) => {
        this.#failure = error;
        this.fail(error);
      },
    });
    await this.#stream.opened;
    if (this.#failure) throw this.#failure;
  }

  protected override async post(entry: QueuedMessage): Promise<void> {
    // Some servers answer a request right away.
    await this.exchange(entry, this.#rpcUrl);
  }

  protected override stopReading(): void {
    this.#stream?.close();
  }

  /** Servers that do not know DELETE forget a client that reads no stream. */
  protected override async leave(): Promise<void> {
    const controller = new AbortController();
    await this.requester.send({ method: 'DELETE', url: this.#sseUrl, controller, timeoutMs: LEAVE_MS });
    controller.abort();
  }
}
