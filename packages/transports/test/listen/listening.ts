import { once } from 'node:events';
import { type ClientRequest, type IncomingHttpHeaders, type IncomingMessage, request as sendRequest } from 'node:http';
import { connect, type Socket } from 'node:net';
import { type AcceptedConnection, type Listener, type ListenOptions, listen } from '@parley/transports/listen';
import { type SseEvent, SseParser } from '../../src/network/sse-parser.ts';

export const TOKEN = 'test-token';

/** A request to a listener, by default one that the guard lets in. */
export interface Asked {
  readonly method?: string;
  readonly path?: string;
  /** `undefined` leaves one of the usual ones out. */
  readonly headers?: Readonly<Record<string, string | undefined>>;
  /** Anything but a string or bytes is sent as JSON. */
  readonly body?: unknown;
}

export interface Answered {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly text: string;
}

/** A listener with an agent on it that answers every request with what it was given, and a client's tools. */
export interface Listening extends AsyncDisposable {
  readonly listener: Listener;
  /** All that were let in, oldest first. */
  readonly accepted: readonly AcceptedConnection[];
  /** The end of each of them, in the order of their ends. */
  readonly ends: { readonly kind: string; readonly error?: Error }[];
  /** All that was received, on all connections. */
  readonly received: unknown[];
  ask(asked: Asked): Promise<Answered>;
  /** Sends `initialize` to `/acp`; resolves with the id of the connection. */
  initialize(): Promise<string>;
  stream(asked: Asked): Promise<ReadStream>;
  /** A plain socket, for what no client would send. */
  socket(): Promise<Socket>;
  until(isSo: () => boolean): Promise<void>;
}

export async function openListening(options: ListenOptions = {}, { answers = true } = {}): Promise<Listening> {
  const guard = options.authorize || options.token || options.tokens ? {} : { token: TOKEN };
  const listener = await listen({ ...guard, ...options });
  const accepted: AcceptedConnection[] = [];
  const ends: { readonly kind: string; readonly error?: Error }[] = [];
  const received: unknown[] = [];
  const watchers = new Set<() => void>();
  const tell = (): void => {
    for (const watcher of watchers) watcher();
  };
  const serving = (async () => {
    for await (const connection of listener.connections) {
      accepted.push(connection);
      connection.transport.onFault(() => {});
      connection.transport.onMessage((value) => {
        received.push(value);
        if (answers) answer(connection, value);
        tell();
      });
      connection.transport.onClose((reason) => {
        ends.push(reason);
        tell();
      });
      tell();
    }
  })();
  const ask = async (asked: Asked): Promise<Answered> => {
    const { request, response } = await send(listener, asked);
    const chunks: Buffer[] = [];
    for await (const chunk of response) chunks.push(chunk as Buffer);
    request.destroy();
    return { status: response.statusCode ?? 0, headers: response.headers, text: Buffer.concat(chunks).toString() };
  };
  return {
    listener,
    accepted,
    ends,
    received,
    ask,
    async initialize() {
      const { headers } = await ask({ body: { jsonrpc: '2.0', id: 0, method: 'initialize', params: {} } });
      return String(headers['acp-connection-id']);
    },
    async stream(asked) {
      const { response } = await send(listener, { method: 'GET', ...asked });
      return new ReadStream(response);
    },
    async socket() {
      const socket = connect(listener.port, '127.0.0.1');
      await once(socket, 'connect');
      return socket;
    },
    until(isSo) {
      if (isSo()) return Promise.resolve();
      return new Promise((resolve) => {
        const watcher = (): void => {
          if (!isSo()) return;
          watchers.delete(watcher);
          resolve();
        };
        watchers.add(watcher);
      });
    },
    async [Symbol.asyncDispose]() {
      await listener.close({ graceMs: 100 });
      await serving;
    },
  };
}

/** The response to a GET, read event by event. */
export class ReadStream {
  readonly response: IncomingMessage;
  /** All that has come, as it was. */
  text = '';
  readonly #parser = new SseParser();
  readonly #chunks: AsyncIterator<Buffer>;

  constructor(response: IncomingMessage) {
    this.response = response;
    this.#chunks = response[Symbol.asyncIterator]();
  }

  get lastEventId(): string {
    return this.#parser.lastEventId;
  }

  /** The next event; undefined at the end of the stream. */
  async next(): Promise<SseEvent | undefined> {
    for (;;) {
      const event = this.#parser.next();
      if (event?.kind === 'event') return event;
      if (!(await this.more())) return undefined;
    }
  }

  /** The next message. */
  async message(): Promise<unknown> {
    const event = await this.next();
    return event && JSON.parse(event.data);
  }

  /** Waits for more bytes; false at the end. */
  async more(): Promise<boolean> {
    const { done, value } = await this.#chunks.next().catch(() => ({ done: true as const, value: undefined }));
    if (done || !value) return false;
    this.text += value.toString();
    this.#parser.push(value);
    return true;
  }

  /** Waits until the stream has ended, whatever comes before. */
  async end(): Promise<void> {
    while (await this.more());
  }

  cut(): void {
    this.response.destroy();
  }
}

async function send(
  listener: Listener,
  { method = 'POST', path = '/acp', headers = {}, body }: Asked,
): Promise<{ request: ClientRequest; response: IncomingMessage }> {
  const usual: Record<string, string> = { authorization: `Bearer ${TOKEN}` };
  if (body !== undefined) usual['content-type'] = 'application/json';
  if (method === 'GET') usual.accept = 'text/event-stream';
  const merged = Object.entries({ ...usual, ...headers }).filter(
    (each): each is [string, string] => each[1] !== undefined,
  );
  const request = sendRequest({
    host: '127.0.0.1',
    port: listener.port,
    method,
    path,
    headers: Object.fromEntries(merged),
    agent: false,
  });
  request.end(
    body === undefined || typeof body === 'string' || body instanceof Uint8Array ? body : JSON.stringify(body),
  );
  const [response] = (await once(request, 'response')) as [IncomingMessage];
  return { request, response };
}

/** `repeat` is sent back as notifications in the session that it names; everything else as it came. */
function answer({ transport }: AcceptedConnection, value: unknown): void {
  const { id, method, params } = value as { id?: number; method?: string; params?: Record<string, unknown> };
  if (method === undefined) return;
  const times = method === 'repeat' ? Number(params?.times) : 0;
  for (let n = 1; n <= times; n += 1) {
    void transport.send({ jsonrpc: '2.0', method: 'note', params: { ...params, n } });
  }
  if (id !== undefined) void transport.send({ jsonrpc: '2.0', id, result: { method, params } });
}
