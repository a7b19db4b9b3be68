import type { AgentSource } from '@parley/client';
import { httpAgent, postAgent } from '@parley/transports/http';
import type { ListenLimits } from '@parley/transports/listen';
import { sseAgent } from '@parley/transports/sse';
import { webSocketAgent } from '@parley/transports/websocket';

export const TOKEN = 'proof-token';

/** Short enough that a cable which was pulled is noticed in a test, long enough for a machine that is busy. */
const client = {
  token: TOKEN,
  proxy: false,
  connectTimeoutMs: 2000,
  closeTimeoutMs: 200,
  pingEveryMs: 250,
  silenceMs: 800,
  postTimeoutMs: 2000,
  resumeMs: 2000,
} as const;

export const LIMITS: Partial<ListenLimits> = {
  pingMs: 250,
  keepAliveMs: 200,
  sseKeepAliveMs: 200,
  idleMs: 5000,
  closeTimeoutMs: 200,
};

export type Dial = (port: number, path?: string) => AgentSource;

/** Every way to a gateway that carries updates. */
export const WIRES: Readonly<Record<'WebSocket' | 'streamable HTTP' | 'HTTP+SSE', Dial>> = {
  WebSocket: (port, path = '/acp') => webSocketAgent(`ws://127.0.0.1:${port}${path}`, client),
  'streamable HTTP': (port, path = '/acp') => httpAgent(`http://127.0.0.1:${port}${path}`, client),
  'HTTP+SSE': (port, path = '/acp') => sseAgent(`http://127.0.0.1:${port}${path}`, client),
};

/** Plain POST, on which only answers come back: the answer to a prompt may take as long as its turn. */
export const dialByPost: Dial = (port, path = '/acp/post') =>
  postAgent(`http://127.0.0.1:${port}${path}`, { ...client, postTimeoutMs: 20_000 });
