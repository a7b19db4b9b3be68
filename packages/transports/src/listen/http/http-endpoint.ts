import { randomUUID } from 'node:crypto';
import type { Message } from '@parley/jsonrpc';
import { EVENT_STREAM_TYPE, HEADERS, LOAD_ON_SESSION_STREAM } from '../../network/headers.ts';
import { NetworkError } from '../../network/network-error.ts';
import { idKey } from '../../network/routing.ts';
import { BUSY, type Endpoint, type EndpointContext } from '../endpoint.ts';
import { attachReader } from '../outgoing/attach-reader.ts';
import { EventTransport } from '../outgoing/event-transport.ts';
import { isRefusal, type PostedMessage, readMessage } from '../server/body.ts';
import { type Exchange, headerOf, type Refusal, refuse, replyEmpty, replyJson } from '../server/exchange.ts';
import { withConnectionId } from '../welcome.ts';
import { SessionRoutes } from './session-routes.ts';

interface HttpConnection {
  readonly transport: EventTransport;
  readonly routes: SessionRoutes;
}

/** Streamable HTTP, as the remote-transport RFD has it, with the checks of the official SDK in its order. */
export class HttpEndpoint implements Endpoint {
  readonly methods: readonly string[] = ['GET', 'POST', 'DELETE'];
  readonly #context: EndpointContext;
  readonly #connections = new Map<string, HttpConnection>();

  constructor(context: EndpointContext) {
    this.#context = context;
  }

  async handle(exchange: Exchange): Promise<void> {
    const { method } = exchange.request;
    if (method === 'POST') return this.#post(exchange);
    return method === 'DELETE' ? this.#delete(exchange) : this.#get(exchange);
  }

  async #post(exchange: Exchange): Promise<void> {
    const { request, response } = exchange;
    const posted = await readMessage(request, this.#context.limits);
    if (isRefusal(posted)) return refuse(response, posted);
    const { message, bytes } = posted;
    if (isInitialize(message)) {
      if (headerOf(request, HEADERS.connectionId) === undefined) return this.#initialize(posted, exchange);
      return refuse(response, { status: 400, message: 'Initialize not allowed on existing connection' });
    }
    const connection = this.#find(exchange);
    if ('status' in connection) return refuse(response, connection);
    const { transport, routes } = connection;
    if (!transport.isOpen) return refuse(response, UNKNOWN);
    if (transport.isFull) return refuse(response, BUSY);
    const isLoadInOrder = headerOf(request, 'accept') === LOAD_ON_SESSION_STREAM;
    const refusal = routes.refuse(message, headerOf(request, HEADERS.sessionId), isLoadInOrder);
    if (refusal) return refuse(response, refusal);
    await transport.receive(message, bytes);
    if (transport.isOpen) replyEmpty(response, 202);
    else refuse(response, UNKNOWN);
  }

  #get(exchange: Exchange): void {
    const { request, response } = exchange;
    if (!headerOf(request, 'accept')?.toLowerCase().includes(EVENT_STREAM_TYPE)) {
      return refuse(response, {
        status: 406,
        message: `Not Acceptable: accept ${EVENT_STREAM_TYPE}, or upgrade to WebSocket`,
      });
    }
    const connection = this.#find(exchange);
    if ('status' in connection) return refuse(response, connection);
    // A session that is not known yet is one that the client is about to load.
    const session = headerOf(request, HEADERS.sessionId) ?? '';
    attachReader(connection.transport, { exchange, route: session, maxIdLength: this.#context.limits.maxIdLength });
  }

  #delete(exchange: Exchange): void {
    const connection = this.#find(exchange);
    if ('status' in connection) return refuse(exchange.response, connection);
    replyEmpty(exchange.response, 202);
    connection.transport.endByClient();
  }

  /** A connection of somebody else is as unknown as one that never was. */
  #find({ request, principal }: Exchange): HttpConnection | Refusal {
    const id = headerOf(request, HEADERS.connectionId);
    if (id === undefined || id === '') return { status: 400, message: 'Missing Acp-Connection-Id' };
    const connection = this.#connections.get(id);
    if (connection?.transport.principal === principal) return connection;
    return UNKNOWN;
  }

  async #initialize({ message, bytes }: PostedMessage, exchange: Exchange): Promise<void> {
    const { response, principal, remote } = exchange;
    if (message.id === null) return refuse(response, { status: 400, message: 'Initialize request must include an ID' });
    const { registry, limits, accept } = this.#context;
    const refusal = registry.refuse(principal);
    if (refusal) return refuse(response, refusal);

    const connectionId = randomUUID();
    const routes = new SessionRoutes(limits);
    const key = idKey(message.id);
    let isAnswered = false;
    const routeOf = (sent: Message, json: string): string | undefined => {
      if (isAnswered || 'method' in sent || idKey(sent.id) !== key) return routes.routeOf(sent);
      isAnswered = true;
      const welcome = 'result' in sent ? JSON.stringify(withConnectionId(sent, connectionId)) : json;
      replyJson(response, { status: 200, json: welcome, headers: { [HEADERS.connectionId]: connectionId } });
      return undefined;
    };
    const onEnd = (): void => {
      registry.remove(transport);
      this.#connections.delete(connectionId);
      if (!isAnswered) replyJson(response, { status: 500, json: initializeFailed(message.id) });
    };
    const routeBefore = (sent: Message): string | undefined => routes.routeBefore(sent);
    const { keepAliveMs } = limits;
    const transport = new EventTransport({ principal, limits, keepAliveMs, routeOf, routeBefore, onEnd });
    response.once('close', () => {
      if (!isAnswered)
        transport.fail(new NetworkError({ kind: 'dropped', message: 'The client left during initialize.' }));
    });
    registry.add(transport);
    this.#connections.set(connectionId, { transport, routes });
    accept({ transport, principal, via: 'http', remote });
    await transport.receive(message, bytes);
  }
}

const UNKNOWN: Refusal = { status: 404, message: 'Unknown Acp-Connection-Id' };

function isInitialize(message: PostedMessage['message']): boolean {
  return message.jsonrpc === '2.0' && 'id' in message && message.method === 'initialize';
}

function initializeFailed(id: unknown): string {
  return JSON.stringify({ jsonrpc: '2.0', id, error: { code: -32603, message: 'Initialize failed' } });
}
