import { isRequest } from '@parley/jsonrpc';
import { DEFAULT_CONNECT_TIMEOUT_MS } from '../network/dial-options.ts';
import { HEADERS, JSON_TYPE, LOAD_ON_SESSION_STREAM } from '../network/headers.ts';
import { EventStream } from '../network/http/event-stream.ts';
import { DEFAULT_RESUME_MS, DEFAULT_SILENCE_MS } from '../network/http/http-client-options.ts';
import type { QueuedMessage } from '../network/http/post-queue.ts';
import { PostedWire, type PostedWireOptions } from '../network/http/posted-wire.ts';
import { NetworkError } from '../network/network-error.ts';
import { idKey, sessionInParams, sessionInResult } from '../network/routing.ts';

/** How long the streams that are still open may take to end, when the server has ended one in good order. */
const END_MS = 2000;

/** How long the server may take to hear that we leave. */
const LEAVE_MS = 2000;

export interface HttpTransportOptions extends PostedWireOptions {
  readonly url: string;
  /** Called when the server turns out to know plain POST alone. */
  readonly onPlain?: () => void;
}

/** Streamable HTTP, as the remote-transport RFD has it: messages are posted, and come on a stream for each session. */
export class HttpTransport extends PostedWire {
  readonly #url: string;
  /** By session; that of the connection itself under ''. */
  readonly #streams = new Map<string, EventStream>();
  /** The sessions of the agent's requests that are not answered yet: the answer names the session in its header. */
  readonly #asked = new Map<string, string>();
  /** Our requests that are not answered yet. */
  readonly #requests = new Map<string, { readonly session: string; readonly endsSession: boolean }>();
  #connection: Readonly<Record<string, string>> | undefined;
  readonly #onPlain: () => void;
  /** The server knows plain POST alone: answers come in bodies, and there is no stream. */
  #isPlain = false;
  #ending: ReturnType<typeof setTimeout> | undefined;

  constructor(options: HttpTransportOptions) {
    super(options);
    this.#url = options.url;
    this.#onPlain = options.onPlain ?? (() => {});
  }

  protected override async post(entry: QueuedMessage): Promise<void> {
    if (this.#isPlain) {
      const posting = this.exchange(entry, this.#url);
      return isRequest(entry.message) ? undefined : void (await posting);
    }
    if (!this.#connection) return await this.#initialize(entry);
    const session = this.#sessionOf(entry);
    const isLoad = 'method' in entry.message && entry.message.method === 'session/load';
    const headers = {
      ...this.#connection,
      ...(session !== undefined && { [HEADERS.sessionId]: session }),
      ...(session !== undefined && isLoad && { accept: LOAD_ON_SESSION_STREAM }),
    };
    if (session !== undefined) await this.#openStream(session).opened;
    if (this.isOver) return;
    this.#remember(entry, session);
    const posted = await this.postText(this.#url, entry.json, headers);
    if (posted.kind === 'accepted') return this.#forget(entry, posted.text);
    if (posted.kind === 'failed') return this.fail(posted.error);
    await this.reject(entry, posted.error, (json) => this.postText(this.#url, json, headers));
  }

  /** The answer to `initialize` is the body, and the connection is named in its header. */
  async #initialize(entry: QueuedMessage): Promise<void> {
    const { message, json } = entry;
    if (!('method' in message) || message.method !== 'initialize' || !('id' in message)) {
      const text = `Streamable HTTP begins with initialize, not with ${'method' in message ? message.method : 'an answer'}.`;
      return this.fail(new NetworkError({ kind: 'not_acp', message: text }));
    }
    const posted = await this.postText(this.#url, json);
    if (posted.kind !== 'accepted') return this.fail(posted.error);
    const { response, text } = posted;
    const id = response.headers.get(HEADERS.connectionId);
    const version = versionIn(text);
    if ((id === null || id === '') && version !== undefined) {
      // It has answered as a server for plain POST does, and the answer is as good as any.
      this.#isPlain = true;
      this.#onPlain();
      return this.inbox.take(text, text.length);
    }
    if (id === null || id === '') {
      const why = `it gave no ${HEADERS.connectionId} for the connection`;
      const notAcp = `${this.requester.name} is not a server for streamable HTTP: ${why}.`;
      return this.fail(
        new NetworkError({ kind: 'not_acp', message: notAcp, status: response.status, body: text.slice(0, 200) }),
      );
    }
    this.#connection = {
      [HEADERS.connectionId]: id,
      ...(version !== undefined && { [HEADERS.protocolVersion]: version }),
    };
    if (this.isOver) return;
    const stream = this.#openStream('');
    this.inbox.take(text, text.length);
    await stream.opened;
  }

  #openStream(session: string): EventStream {
    const open = this.#streams.get(session);
    if (open) return open;
    const { connectTimeoutMs = DEFAULT_CONNECT_TIMEOUT_MS, resumeMs = DEFAULT_RESUME_MS } = this.options;
    const stream = new EventStream({
      requester: this.requester,
      url: this.#url,
      headers: { ...this.#connection, ...(session !== '' && { [HEADERS.sessionId]: session }) },
      inbox: this.inbox,
      connectTimeoutMs,
      resumeMs,
      silenceMs: this.options.silenceMs ?? DEFAULT_SILENCE_MS,
      maxMessageBytes: this.options.maxMessageBytes,
      onEnd: () => this.#onEnd(session),
      onLost: (error, isClean) => this.#onLost(session, error, isClean),
    });
    this.#streams.set(session, stream);
    return stream;
  }

  /** The other streams may still have messages on their way. */
  #onEnd(session: string): void {
    this.#streams.delete(session);
    this.#ending ??= setTimeout(() => this.end(), END_MS);
    if (this.#streams.size === 0) this.end();
  }

  /** The stream of a session in which nothing is going on may end; the next message opens it again. */
  #onLost(session: string, error: NetworkError, isClean: boolean): void {
    this.#streams.delete(session);
    if (this.#ending !== undefined) return this.#onEnd(session);
    const isIdle = ![...this.#requests.values()].some((request) => request.session === session);
    if (session === '' || !isClean || !isIdle) this.fail(error);
  }

  protected override observe(value: unknown): void {
    if (typeof value !== 'object' || value === null) return;
    if ('method' in value) {
      const session = sessionInParams(value);
      if (session !== undefined && 'id' in value) this.#asked.set(idKey(value.id), session);
      return;
    }
    if (!('id' in value)) return;
    const key = idKey(value.id);
    const request = this.#requests.get(key);
    this.#requests.delete(key);
    const created = sessionInResult(value);
    if (created !== undefined && created !== '' && this.#connection) this.#openStream(created);
    if (request?.endsSession && 'result' in value) this.#closeStream(request.session);
  }

  #sessionOf({ message }: QueuedMessage): string | undefined {
    const session = 'method' in message ? sessionInParams(message) : this.#asked.get(idKey(message.id));
    return session === '' ? undefined : session;
  }

  #remember({ message }: QueuedMessage, session: string | undefined): void {
    if (session === undefined || !('method' in message) || !('id' in message)) return;
    const endsSession = message.method === 'session/close' || message.method === 'session/delete';
    this.#requests.set(idKey(message.id), { session, endsSession });
  }

  #forget({ message }: QueuedMessage, text: string): void {
    if (!('method' in message)) this.#asked.delete(idKey(message.id));
    // Some servers answer a request right away.
    if (text !== '') this.inbox.take(text, text.length);
  }

  #closeStream(session: string): void {
    this.#streams.get(session)?.close();
    this.#streams.delete(session);
  }

  protected override stopReading(): void {
    clearTimeout(this.#ending);
    for (const stream of this.#streams.values()) stream.close();
    this.#streams.clear();
  }

  protected override async leave(): Promise<void> {
    if (!this.#connection) return;
    const controller = new AbortController();
    const headers = { accept: JSON_TYPE, ...this.#connection };
    await this.requester.send({ method: 'DELETE', url: this.#url, headers, controller, timeoutMs: LEAVE_MS });
    controller.abort();
  }
}

function versionIn(json: string): string | undefined {
  try {
    const { result } = JSON.parse(json) as { readonly result?: { readonly protocolVersion?: unknown } };
    return typeof result?.protocolVersion === 'number' ? String(result.protocolVersion) : undefined;
  } catch {
    return undefined;
  }
}
