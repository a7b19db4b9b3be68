import { randomUUID } from 'node:crypto';
import { EVENT_STREAM_TYPE, HEADERS } from '../../network/headers.ts';
import { BUSY, type Endpoint, type EndpointContext } from '../endpoint.ts';
import { attachReader } from '../outgoing/attach-reader.ts';
import { isRefusal, readMessage } from '../server/body.ts';
import { type Exchange, headerOf, type Refusal, refuse, replyEmpty } from '../server/exchange.ts';
import { PostConnection } from './post-connection.ts';

/**
 * Plain POST: a request, and its answer in the body. A client that knows no more than that needs to send no id of its
 * connection: it is served by the one that its principal has initialized last. A `GET` reads what the agent sends beside.
 */
export class PostEndpoint implements Endpoint {
  readonly methods: readonly string[] = ['GET', 'POST', 'DELETE'];
  readonly #context: EndpointContext;
  readonly #connections = new Map<string, PostConnection>();
  /** The last that each principal has initialized. */
  readonly #newest = new Map<string, PostConnection>();

  constructor(context: EndpointContext) {
    this.#context = context;
  }

  async handle(exchange: Exchange): Promise<void> {
    const { request, response } = exchange;
    if (request.method === 'POST') return this.#post(exchange);
    const connection = this.#find(exchange);
    if ('status' in connection) return refuse(response, connection);
    if (request.method === 'GET') return this.#read(connection, exchange);
    replyEmpty(response, 202);
    connection.transport.endByClient();
  }

  async #post(exchange: Exchange): Promise<void> {
    const { request, response } = exchange;
    const posted = await readMessage(request, this.#context.limits);
    if (isRefusal(posted)) return refuse(response, posted);
    const { method } = posted.message;
    const isNew = method === 'initialize' && headerOf(request, HEADERS.connectionId) === undefined;
    const connection = isNew ? this.#open(exchange) : this.#find(exchange);
    if ('status' in connection) return refuse(response, connection);
    await connection.take(posted, exchange);
  }

  #read(connection: PostConnection, exchange: Exchange): void {
    if (!headerOf(exchange.request, 'accept')?.toLowerCase().includes(EVENT_STREAM_TYPE)) {
      return refuse(exchange.response, { status: 406, message: `Not Acceptable: accept ${EVENT_STREAM_TYPE}` });
    }
    connection.expectReader();
    attachReader(connection.transport, { exchange, route: '', maxIdLength: this.#context.limits.maxIdLength });
  }

  #find({ request, principal }: Exchange): PostConnection | Refusal {
    const id = headerOf(request, HEADERS.connectionId);
    const connection = id === undefined ? this.#newest.get(principal) : this.#connections.get(id);
    if (connection?.transport.principal === principal) {
      return connection.transport.isFull ? BUSY : connection;
    }
    if (id === undefined) return { status: 400, message: 'There is no connection; send initialize first' };
    return { status: 404, message: 'Unknown Acp-Connection-Id' };
  }

  #open({ principal, remote }: Exchange): PostConnection | Refusal {
    const { registry, limits, accept } = this.#context;
    const refusal = registry.refuse(principal);
    if (refusal) return refusal;
    const id = randomUUID();
    const onEnd = (): void => {
      registry.remove(connection.transport);
      this.#connections.delete(id);
      if (this.#newest.get(principal) === connection) this.#newest.delete(principal);
    };
    const connection: PostConnection = new PostConnection({ id, principal, limits, onEnd });
    registry.add(connection.transport);
    this.#connections.set(id, connection);
    this.#newest.set(principal, connection);
    accept({ transport: connection.transport, principal, via: 'post', remote });
    return connection;
  }
}
