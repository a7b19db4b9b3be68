import { CookieJar } from '../../network/cookie-jar.ts';
import { type NetworkAgent, nameOfAddress, parseAddress } from '../../network/dial-options.ts';
import { createRedial } from '../../network/redial.ts';
import type { NodeWebSocketOptions } from './dial.ts';
import { dialWebSocket } from './dial.ts';

/** An agent at a `ws:` or `wss:` address. Every dial asks anew for the token; cookies are kept from one to the next. */
export function webSocketAgent(address: string | URL, options: NodeWebSocketOptions = {}): NetworkAgent {
  const url = parseAddress(address, ['wss:', 'ws:']);
  const name = options.name ?? nameOfAddress(url);
  const cookies = new CookieJar();
  return {
    name,
    redial: createRedial(options),
    async open(signal) {
      return { transport: await dialWebSocket({ url, name, cookies, options, signal }) };
    },
  };
}
