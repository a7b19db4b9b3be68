import type { NetworkAgent } from '../../network/dial-options.ts';
import type { HttpClientOptions } from '../../network/http/http-client-options.ts';
import type { NodeDialOptions } from '../../network/node/node-dial-options.ts';
import { undiciPlatform } from '../../network/node/undici-platform.ts';
import { createHttpAgent } from '../agents.ts';

export interface NodeHttpOptions extends HttpClientOptions, NodeDialOptions {}

/**
 * An agent at an `https:` or `http:` address, over streamable HTTP. Every request asks anew for the token; cookies are kept from one
 * dial to the next.
 */
export function httpAgent(address: string | URL, options: NodeHttpOptions = {}): NetworkAgent {
  return createHttpAgent(address, { options, createPlatform: (url) => undiciPlatform(url, options), kind: 'http' });
}

/**
 * An agent that answers requests in the body of the response. Its updates and questions come on a stream, where the server has one;
 * otherwise only final answers come back, and `carriesUpdates` of the wire is false.
 */
export function postAgent(address: string | URL, options: NodeHttpOptions = {}): NetworkAgent {
  return createHttpAgent(address, { options, createPlatform: (url) => undiciPlatform(url, options), kind: 'post' });
}
