import { CLIENT_ID_PARAMETER } from '../../network/headers.ts';
import { BUSY, type Endpoint, type EndpointContext } from '../endpoint.ts';
import { attachReader } from '../outgoing/attach-reader.ts';
import { EventTransport } from '../outgoing/event-transport.ts';
import { isRefusal, readMessage } from '../server/body.ts';
import { type Exchange, type Refusal, refuse, replyEmpty } from '../server/exchange.ts';

/** HTTP+SSE: each client has chosen an id, posts under it and reads one stream for all its sessions. */
export interface SseEndpoints {
  /** `POST` takes a message: 202, or 204 for an answer. */
  readonly rpc: Endpoint;
  /** `GET` is the stream; `DELETE` ends the connection. */
  readonly sse: Endpoint;
}

export function createSseEndpoints(context: EndpointContext): SseEndpoints {
  const { limits, registry, accept } = context;
  const clients = new Map<string, EventTransport>();

  return {
    rpc: { methods: ['POST'], handle: post },
    sse: { methods: ['GET', 'DELETE'], handle: (exchange) => (isDelete(exchange) ? remove(exchange) : read(exchange)) },
  };

  async function post(exchange: Exchange): Promise<void> {
    const { request, response } = exchange;
    const clientId = clientIdOf(exchange);
    if (typeof clientId !== 'string') return refuse(response, clientId);
    const posted = await readMessage(request, limits);
    if (isRefusal(posted)) return refuse(response, posted);
    const { message, bytes } = posted;
    if (message.jsonrpc !== '2.0') return refuse(response, { status: 400, message: 'Invalid JSON-RPC payload' });
    const transport = open(clientId, exchange);
    if ('status' in transport) return refuse(response, transport);
    if (!transport.isOpen) return refuse(response, OVER);
    await transport.receive(message, bytes);
    if (transport.isOpen) replyEmpty(response, 'method' in message ? 202 : 204);
    else refuse(response, OVER);
  }

  async function read(exchange: Exchange): Promise<void> {
    const { response } = exchange;
    const clientId = clientIdOf(exchange);
    if (typeof clientId !== 'string') return refuse(response, clientId);
    const transport = open(clientId, exchange);
    if ('status' in transport) return refuse(response, transport);
    attachReader(transport, { exchange, route: '', maxIdLength: limits.maxIdLength });
  }

  /** Not in the seed of this wire, where a client can only stay away: ends the connection at once, in good order. */
  async function remove(exchange: Exchange): Promise<void> {
    const clientId = clientIdOf(exchange);
    if (typeof clientId !== 'string') return refuse(exchange.response, clientId);
    const transport = clients.get(keyOf(clientId, exchange.principal));
    if (!transport) return refuse(exchange.response, { status: 404, message: 'Unknown client_id' });
    replyEmpty(exchange.response, 202);
    transport.endByClient();
  }

  /** A client is known from its first request on, whichever that is. */
  function open(clientId: string, { principal, remote }: Exchange): EventTransport | Refusal {
    const key = keyOf(clientId, principal);
    const known = clients.get(key);
    if (known) return known.isFull ? BUSY : known;
    const refusal = registry.refuse(principal);
    if (refusal) return refusal;
    const transport: EventTransport = new EventTransport({
      principal,
      limits,
      keepAliveMs: limits.sseKeepAliveMs,
      greeting: ': connected\n\n',
      routeOf: () => '',
      onEnd: () => {
        registry.remove(transport);
        clients.delete(key);
      },
    });
    registry.add(transport);
    clients.set(key, transport);
    accept({ transport, principal, via: 'sse', remote });
    return transport;
  }

  function clientIdOf({ query }: Exchange): string | Refusal {
    const clientId = query.get(CLIENT_ID_PARAMETER)?.trim() ?? '';
    if (clientId === '') return { status: 400, message: 'client_id is required' };
    if (clientId.length <= limits.maxIdLength) return clientId;
    return { status: 400, message: `client_id may have ${limits.maxIdLength} characters` };
  }
}

const OVER: Refusal = { status: 410, message: 'This connection is over' };

/** The same id of two principals names two clients. */
function keyOf(clientId: string, principal: string): string {
  return JSON.stringify([principal, clientId]);
}

function isDelete({ request }: Exchange): boolean {
  return request.method === 'DELETE';
}
