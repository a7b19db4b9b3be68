import type { DialectName } from './names.ts';

/** The wires that each document describes. What runs over them is the business of the transports. */
export interface DialectWires {
  /** How messages are framed on a pipe; the first one is the default. */
  readonly framings: readonly ('ndjson' | 'content-length')[];
  readonly network: readonly ('acp-http' | 'elephant-http' | 'post-only' | 'websocket' | 'sse')[];
}

const PIPE_ONLY: DialectWires = { framings: ['ndjson'], network: [] };

export const DIALECT_WIRES: Readonly<Record<DialectName, DialectWires>> = {
  canonical: { framings: ['ndjson'], network: ['acp-http', 'websocket'] },
  harness: PIPE_ONLY,
  overview: PIPE_ONLY,
  go: PIPE_ONLY,
  elephant: { framings: ['ndjson', 'content-length'], network: ['elephant-http'] },
  pharo: { framings: ['ndjson'], network: ['post-only', 'websocket', 'sse'] },
};

/** The two addresses of `alex acp serve` (S3:18): requests are posted to one, everything comes back on the other. */
export interface ElephantEndpoints {
  readonly rpc: string;
  readonly events: string;
}

/** `clientId` takes the place of `Acp-Connection-Id`. The client chooses it, so it must be hard to guess. */
export function elephantEndpoints(baseUrl: string, clientId: string): ElephantEndpoints {
  const { origin } = new URL(baseUrl);
  const query = `client_id=${encodeURIComponent(clientId)}`;
  return { rpc: `${origin}/acp/rpc?${query}`, events: `${origin}/acp/sse?${query}` };
}

/** The client that an address of `alex acp serve` belongs to: what other servers read from `Acp-Connection-Id`. */
export function elephantClientId(url: string): string | undefined {
  const [, value] = /[?&]client_id=([^&#]*)/.exec(url) ?? [];
  return value ? decode(value) : undefined;
}

/**
 * Whether a message can travel by posting alone (S4:1100). Only the client can begin, and only a request has an answer
 * to carry something back in; what an agent says of its own accord needs a WebSocket.
 */
export function fitsPostOnly(
  message: { readonly method?: string; readonly id?: unknown },
  from: 'client' | 'agent',
): boolean {
  return from === 'client' ? message.method !== undefined : message.method === undefined && message.id !== undefined;
}

function decode(value: string): string | undefined {
  try {
    return decodeURIComponent(value.replaceAll('+', ' '));
  } catch {
    return undefined;
  }
}
