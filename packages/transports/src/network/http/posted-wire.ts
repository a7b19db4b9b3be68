import { type CloseReason, type Message, TransportClosedError } from '@parley/jsonrpc';
import { stringifyMessage } from '../../framing/stringify-message.ts';
import { DEFAULT_NETWORK_CLOSE_TIMEOUT_MS } from '../dial-options.ts';
import { InboxTransport } from '../inbox-transport.ts';
import type { NetworkError } from '../network-error.ts';
import { DEFAULT_POST_TIMEOUT_MS, DEFAULT_RESUME_MS, type HttpClientOptions } from './http-client-options.ts';
import type { HttpPlatform, HttpResponse } from './platform.ts';
import { PostQueue, type QueuedMessage } from './post-queue.ts';
import { type Posted, postMessage } from './poster.ts';
import type { Requester } from './requester.ts';

export interface PostedWireOptions extends HttpClientOptions {
  readonly requester: Requester;
  readonly platform: HttpPlatform;
}

/** A transport that posts what it sends. How it hears of the peer's messages is up to the class that extends it. */
export abstract class PostedWire extends InboxTransport {
  protected readonly options: PostedWireOptions;
  protected readonly requester: Requester;
  readonly #queue: PostQueue;
  readonly #posting = new Set<AbortController>();
  #isOver = false;
  #wasReached = false;
  #closing: Promise<void> | undefined;

  constructor(options: PostedWireOptions) {
    const { maxDepth, keepsText } = options;
    super({ ...(maxDepth !== undefined && { maxDepth }), ...(keepsText !== undefined && { keepsText }) });
    this.options = options;
    this.requester = options.requester;
    this.#queue = new PostQueue((entry) => this.#post(entry), options.highWaterBytes);
  }

  /** Posts one message, and deals with what the server says to it. */
  protected abstract post(entry: QueuedMessage): Promise<void>;
  /** Sees each message right before it is delivered. */
  protected observe(_value: unknown): void {}
  /** Tells the server that we leave. */
  protected abstract leave(): Promise<void>;
  /** Ends what reads. */
  protected abstract stopReading(): void;

  protected get isOver(): boolean {
    return this.#isOver;
  }

  send(message: Message): void | Promise<void> {
    if (this.#closing || this.#isOver) throw new TransportClosedError();
    return this.#queue.add(message, stringifyMessage(message));
  }

  whenSent(): Promise<void> {
    return this.#queue.whenSent();
  }

  override onMessage(listener: (value: unknown) => void): void {
    this.inbox.onMessage((value) => {
      this.observe(value);
      listener(value);
    });
  }

  close(): Promise<void> {
    this.#closing ??= this.#close();
    return this.#closing;
  }

  /** Posts a text; the wire's end ends that too. */
  protected async postText(url: string, body: string, headers: Readonly<Record<string, string>> = {}): Promise<Posted> {
    const { postTimeoutMs = DEFAULT_POST_TIMEOUT_MS, resumeMs = DEFAULT_RESUME_MS, maxMessageBytes } = this.options;
    const controller = new AbortController();
    this.#posting.add(controller);
    try {
      const times = { timeoutMs: postTimeoutMs, retryMs: resumeMs, wasReached: this.#wasReached };
      const posted = await postMessage(this.requester, { url, headers, body, controller, maxMessageBytes, ...times });
      if (posted.kind !== 'failed') this.#wasReached = true;
      return posted;
    } finally {
      this.#posting.delete(controller);
    }
  }

  /** Posts a message whose answer may be the body; resolves with the response, unless the server did not want it. */
  protected async exchange(
    entry: QueuedMessage,
    url: string,
    headers: Readonly<Record<string, string>> = {},
  ): Promise<HttpResponse | undefined> {
    const posted = await this.postText(url, entry.json, headers);
    if (this.isOver) return undefined;
    if (posted.kind === 'accepted') {
      if (posted.text !== '') this.inbox.take(posted.text, posted.text.length);
      return posted.response;
    }
    if (posted.kind === 'failed') this.fail(posted.error);
    else await this.reject(entry, posted.error, (json) => this.postText(url, json, headers));
    return undefined;
  }

  /** Tells whoever waits for it that the server did not want the message. */
  protected async reject(
    { message }: QueuedMessage,
    error: NetworkError,
    repost: (json: string) => Promise<Posted>,
  ): Promise<void> {
    const { status, body } = error;
    if ('method' in message && 'id' in message) {
      const answer = {
        jsonrpc: '2.0',
        id: message.id,
        error: { code: -32603, message: error.message, data: { status, body } },
      };
      return this.inbox.take(JSON.stringify(answer), 0);
    }
    if ('method' in message || status !== 413) return this.fail(error);
    // An answer that is too large: the agent must not wait for it for ever.
    const tooLarge = { code: -32603, message: 'The answer is larger than the server accepts.' };
    const posted = await repost(JSON.stringify({ jsonrpc: '2.0', id: message.id, error: tooLarge }));
    if (posted.kind !== 'accepted') this.fail(posted.error);
  }

  /** The wire is broken. */
  protected fail(error: NetworkError): void {
    this.#finish({ kind: 'failed', error });
  }

  /** The peer has ended the wire in good order. */
  protected end(): void {
    this.#finish({ kind: 'ended' });
  }

  async #post(entry: QueuedMessage): Promise<void> {
    if (!this.#isOver) await this.post(entry);
  }

  #finish(reason: CloseReason): void {
    if (this.#isOver || this.#closing) return;
    this.#isOver = true;
    this.#release();
    this.inbox.end(reason);
    const leaving = reason.kind === 'failed' ? this.leave() : Promise.resolve();
    void leaving.catch(() => {}).then(() => this.options.platform.release());
  }

  async #close(): Promise<void> {
    const { closeTimeoutMs = DEFAULT_NETWORK_CLOSE_TIMEOUT_MS, platform } = this.options;
    if (!this.#isOver) {
      let timer: ReturnType<typeof setTimeout> | undefined;
      const late = new Promise<void>((resolve) => {
        timer = setTimeout(resolve, closeTimeoutMs);
      });
      this.inbox.ignore();
      await Promise.race([this.#queue.whenSent(), late]);
      clearTimeout(timer);
      this.#isOver = true;
      this.#release();
      await this.leave().catch(() => {});
      await platform.release();
    }
    this.inbox.discard({ kind: 'closed' });
  }

  #release(): void {
    this.#queue.stop();
    for (const controller of this.#posting) controller.abort();
    this.stopReading();
  }
}
