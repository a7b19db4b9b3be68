import type { HeaderOptions, NetworkAgent } from '../network/dial-options.ts';
import type { HttpClientOptions } from '../network/http/http-client-options.ts';
import { platformFetch } from '../network/http/platform.ts';
import { createHttpAgent } from './agents.ts';

export interface HttpOptions extends HttpClientOptions, HeaderOptions {
  /** Sends the browser's cookies to another origin too, which that one must allow. Default: false. */
  readonly withCredentials?: boolean;
}

/** An agent at an `https:` or `http:` address, over streamable HTTP. */
export function httpAgent(address: string | URL, options: HttpOptions = {}): NetworkAgent {
  return createHttpAgent(address, { options, createPlatform: () => createPlatform(options), kind: 'http' });
}

/**
 * An agent that answers requests in the body of the response, and can do no more: no update, no permission question and no other
 * request of the agent comes this way. It fits programs that ask and read the final answer.
 */
export function postAgent(address: string | URL, options: HttpOptions = {}): NetworkAgent {
  return createHttpAgent(address, { options, createPlatform: () => createPlatform(options), kind: 'post' });
}

function createPlatform({ withCredentials = false }: HttpOptions): ReturnType<typeof platformFetch> {
  return platformFetch(withCredentials ? 'include' : 'same-origin');
}
