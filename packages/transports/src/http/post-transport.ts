import { HEADERS } from '../network/headers.ts';
import type { QueuedMessage } from '../network/http/post-queue.ts';
import { PostedWire, type PostedWireOptions } from '../network/http/posted-wire.ts';

export interface PostTransportOptions extends PostedWireOptions {
  readonly url: string;
}

/** Plain POST: the answer to a request is the body. There is no way for the agent to send anything else. */
export class PostTransport extends PostedWire {
  readonly #url: string;
  #connection: Readonly<Record<string, string>> = {};

  constructor(options: PostTransportOptions) {
    super(options);
    this.#url = options.url;
  }

  /** A request may take long, and others must not wait for it; everything else goes in order. */
  protected override async post(entry: QueuedMessage): Promise<void> {
    const { message } = entry;
    const posting = this.#exchange(entry);
    const isFirst = 'method' in message && message.method === 'initialize';
    if (isFirst || !('method' in message && 'id' in message)) await posting;
  }

  async #exchange(entry: QueuedMessage): Promise<void> {
    const posted = await this.postText(this.#url, entry.json, this.#connection);
    if (this.isOver) return;
    if (posted.kind === 'accepted') {
      const id = posted.response.headers.get(HEADERS.connectionId);
      if (id !== null && id !== '') this.#connection = { [HEADERS.connectionId]: id };
      if (posted.text !== '') this.inbox.take(posted.text, posted.text.length);
      return;
    }
    if (posted.kind === 'failed') return this.fail(posted.error);
    await this.reject(entry, posted.error, (json) => this.postText(this.#url, json, this.#connection));
  }

  protected override stopReading(): void {}

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
