import type { AgentSource } from '@parley/client';
import { httpAgent, postAgent } from '@parley/transports/http';
import type { ListenLimits } from '@parley/transports/listen';
import { sseAgent } from '@parley/transports/sse';
import { webSocketAgent } from '@parley/transports/websocket';

export const TOKEN = 'token-of-the-gateway-tests';

const CLIENT = { token: TOKEN, proxy: false, closeTimeoutMs: 1000 } as const;

export type Dial = (port: number, path?: string) => AgentSource;

export type Wires = Readonly<Record<'WebSocket' | 'streamable HTTP' | 'HTTP+SSE', Dial>>;

/** Every way to a gateway that carries updates. */
export const WIRES: Wires = createWires(CLIENT);

/** Notice soon that a cable was pulled. What a busy machine makes look dead is dialled again. */
const ALERT = {
  ...CLIENT,
  connectTimeoutMs: 2000,
  closeTimeoutMs: 200,
  pingEveryMs: 250,
  silenceMs: 800,
  postTimeoutMs: 2000,
  resumeMs: 2000,
} as const;

export const ALERT_WIRES: Wires = createWires(ALERT);

/** Plain POST, whose answers are the bodies of responses until its stream is open. */
export const dialByPost: Dial = (port, path = '/acp/post') => postAgent(`http://127.0.0.1:${port}${path}`, ALERT);

/** The same on the other side. */
export const ALERT_LIMITS: Partial<ListenLimits> = {
  pingMs: 250,
  keepAliveMs: 200,
  sseKeepAliveMs: 200,
  idleMs: 5000,
  closeTimeoutMs: 200,
};

function createWires(options: Parameters<typeof httpAgent>[1] & { readonly pingEveryMs?: number }): Wires {
  return {
    WebSocket: (port, path = '/acp') => webSocketAgent(`ws://127.0.0.1:${port}${path}`, options),
    'streamable HTTP': (port, path = '/acp') => httpAgent(`http://127.0.0.1:${port}${path}`, options),
    'HTTP+SSE': (port, path = '/acp') => sseAgent(`http://127.0.0.1:${port}${path}`, options),
  };
}
