import type { NetworkAgent } from '../../network/dial-options.ts';
import type { HttpClientOptions } from '../../network/http/http-client-options.ts';
import type { NodeDialOptions } from '../../network/node/node-dial-options.ts';
import { undiciPlatform } from '../../network/node/undici-platform.ts';
import { createSseAgent } from '../create-sse-agent.ts';

export interface NodeSseOptions extends HttpClientOptions, NodeDialOptions {}

/** An agent over HTTP+SSE: messages to `/acp/rpc`, and what it sends from `/acp/sse`. */
export function sseAgent(address: string | URL, options: NodeSseOptions = {}): NetworkAgent {
  return createSseAgent(address, { options, createPlatform: (url) => undiciPlatform(url, options) });
}
