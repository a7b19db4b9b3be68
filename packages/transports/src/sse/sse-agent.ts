import type { HeaderOptions, NetworkAgent } from '../network/dial-options.ts';
import type { HttpClientOptions } from '../network/http/http-client-options.ts';
import { platformFetch } from '../network/http/platform.ts';
import { createSseAgent } from './create-sse-agent.ts';

export interface SseOptions extends HttpClientOptions, HeaderOptions {
  /** Sends the browser's cookies to another origin too, which that one must allow. Default: false. */
  readonly withCredentials?: boolean;
}

/** An agent over HTTP+SSE: messages to `/acp/rpc`, and what it sends from `/acp/sse`. */
export function sseAgent(address: string | URL, options: SseOptions = {}): NetworkAgent {
  const { withCredentials = false } = options;
  const createPlatform = () => platformFetch(withCredentials ? 'include' : 'same-origin');
  return createSseAgent(address, { options, createPlatform });
}
