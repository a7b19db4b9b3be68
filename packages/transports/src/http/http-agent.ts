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
 * An agent that answers requests in the body of the response. Its updates and questions come on a stream, where the server has one;
 * otherwise only final answers come back, and `carriesUpdates` of the wire is false.
 */
export function postAgent(address: string | URL, options: HttpOptions = {}): NetworkAgent {
  return createHttpAgent(address, { options, createPlatform: () => createPlatform(options), kind: 'post' });
}

function createPlatform({ withCredentials = false }: HttpOptions): ReturnType<typeof platformFetch> {
  return platformFetch(withCredentials ? 'include' : 'same-origin');
}
