import {
  DEFAULT_CONNECT_TIMEOUT_MS,
  type DialOptions,
  getFresh,
  type NetworkAgent,
  nameOfAddress,
  parseAddress,
} from '../network/dial-options.ts';
import { timeoutError } from '../network/explain-failure.ts';
import { NetworkError } from '../network/network-error.ts';
import { createRedial } from '../network/redial.ts';
import { subprotocolsFor } from '../network/subprotocol.ts';
import { getPlatformWebSocket, type PlatformWebSocket } from './platform-web-socket.ts';
import { type PlatformTransportOptions, PlatformWebSocketTransport } from './web-socket-transport.ts';

export interface WebSocketOptions extends DialOptions, Pick<PlatformTransportOptions, 'maxUnreadBytes'> {}

/**
 * An agent at a `ws:` or `wss:` address, over the platform's own WebSocket. It has no header fields of one's own, so the
 * token goes as a subprotocol, which `listen` understands; a server of another kind may want it in the address.
 */
export function webSocketAgent(address: string | URL, options: WebSocketOptions = {}): NetworkAgent {
  const url = parseAddress(address, ['wss:', 'ws:']);
  const name = options.name ?? nameOfAddress(url);
  return {
    name,
    redial: createRedial(options),
    async open(signal) {
      signal.throwIfAborted();
      const token = await getFresh(options.token);
      const WebSocket = getPlatformWebSocket();
      const protocols = subprotocolsFor(token);
      const socket = protocols.length === 0 ? new WebSocket(url.href) : new WebSocket(url.href, protocols);
      const { connectTimeoutMs = DEFAULT_CONNECT_TIMEOUT_MS } = options;
      await whenOpen(socket, { name, signal, timeoutMs: connectTimeoutMs });
      return { transport: new PlatformWebSocketTransport(socket, { ...options, name }) };
    },
  };
}

interface OpenOptions {
  readonly name: string;
  readonly signal: AbortSignal;
  readonly timeoutMs: number;
}

function whenOpen(socket: PlatformWebSocket, { name, signal, timeoutMs }: OpenOptions): Promise<void> {
  return new Promise((resolve, reject) => {
    const settle = (act: () => void) => {
      clearTimeout(timer);
      signal.removeEventListener('abort', onAbort);
      socket.onopen = socket.onerror = socket.onclose = null;
      act();
    };
    const giveUp = (error: unknown) =>
      settle(() => {
        socket.close();
        reject(error);
      });
    const onAbort = () => giveUp(signal.reason);
    const timer = setTimeout(() => giveUp(timeoutError(name, timeoutMs)), timeoutMs);
    signal.addEventListener('abort', onAbort);
    socket.onopen = () => settle(resolve);
    socket.onclose = ({ code, reason }) => giveUp(unexplained(name, reason === '' ? `code ${code}` : reason));
  });
}

/** A page must not learn what else there is in the network, so the platform does not say why. */
function unexplained(name: string, detail: string): NetworkError {
  const message =
    `Cannot open a WebSocket to ${name} (${detail}). Nothing may listen there, the certificate may not be trusted, or the ` +
    'server may have refused: the platform does not tell; its developer tools may.';
  return new NetworkError({ kind: 'unreachable', message });
}
