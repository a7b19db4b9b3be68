import { randomUUID } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';
import { type WebSocket, WebSocketServer } from 'ws';
import { HEADERS } from '../../network/headers.ts';
import { selectSubprotocol } from '../../network/subprotocol.ts';
import type { EndpointContext } from '../endpoint.ts';
import { ServedWebSocket } from './served-web-socket.ts';

/** Pings in one write that are answered before a client counts as flooding; not in the types of `ws` yet, whose default is 60. */
const PONGS = { maxPendingAutoPongs: 4096 };

/** Try again later (RFC 6455's registry): what a page can see of a refusal, since the status of an upgrade is hidden from it. */
const TRY_AGAIN_LATER = 1013;

/** Turns requests that the guard has let in into WebSockets. */
export class Upgrades {
  readonly #context: EndpointContext;
  readonly #server: WebSocketServer;
  /** The ids of connections, from the answer to the upgrade on. */
  readonly #ids = new WeakMap<IncomingMessage, string>();

  constructor(context: EndpointContext) {
    this.#context = context;
    this.#server = new WebSocketServer({
      noServer: true,
      clientTracking: false,
      perMessageDeflate: false,
      maxPayload: context.limits.maxMessageBytes,
      handleProtocols: selectSubprotocol,
      ...PONGS,
    });
    this.#server.on('headers', (headers: string[], request: IncomingMessage) => {
      headers.push(`${HEADERS.connectionId}: ${this.#ids.get(request) ?? randomUUID()}`);
    });
  }

  accept(request: IncomingMessage, stream: Duplex, head: Buffer, peer: { principal: string; remote: string }): void {
    const connectionId = randomUUID();
    this.#ids.set(request, connectionId);
    this.#server.handleUpgrade(request, stream, head, (socket) =>
      this.#open(socket, stream, { ...peer, connectionId }),
    );
  }

  /** Opens the WebSocket only to say why it cannot stay. */
  turnAway(request: IncomingMessage, stream: Duplex, head: Buffer, message: string): void {
    this.#server.handleUpgrade(request, stream, head, (socket) => {
      socket.on('error', () => {});
      socket.close(TRY_AGAIN_LATER, message);
    });
  }

  #open(
    socket: WebSocket,
    stream: Duplex,
    { principal, remote, connectionId }: { principal: string; remote: string; connectionId: string },
  ): void {
    const { limits, registry, accept } = this.#context;
    const transport: ServedWebSocket = new ServedWebSocket({
      socket,
      stream,
      principal,
      connectionId,
      limits,
      onEnd: () => registry.remove(transport),
    });
    registry.add(transport);
    accept({ transport, principal, via: 'websocket', remote });
  }
}
