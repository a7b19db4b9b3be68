import { CookieJar } from '../network/cookie-jar.ts';
import { type HeaderOptions, type NetworkAgent, nameOfAddress, parseAddress } from '../network/dial-options.ts';
import { CLIENT_ID_PARAMETER } from '../network/headers.ts';
import type { HttpClientOptions } from '../network/http/http-client-options.ts';
import type { HttpPlatform } from '../network/http/platform.ts';
import { Requester } from '../network/http/requester.ts';
import { createRedial } from '../network/redial.ts';
import { SseTransport } from './sse-transport.ts';

export interface SseAgentParts {
  readonly options: HttpClientOptions & HeaderOptions;
  readonly createPlatform: (url: URL) => HttpPlatform;
}

export function createSseAgent(address: string | URL, { options, createPlatform }: SseAgentParts): NetworkAgent {
  const base = parseAddress(address, ['https:', 'http:']);
  const name = options.name ?? nameOfAddress(base);
  const cookies = new CookieJar();
  return {
    name,
    redial: createRedial(options),
    async open(signal) {
      signal.throwIfAborted();
      // Whoever knows the id can read and post as this client, so it must not be guessed.
      const clientId = crypto.randomUUID();
      const platform = createPlatform(base);
      const requester = new Requester({ platform, name, cookies, dial: options });
      const [rpcUrl, sseUrl] = ['rpc', 'sse'].map((end) => addressOf(base, end, clientId)) as [string, string];
      const transport = new SseTransport({ ...options, requester, platform, rpcUrl, sseUrl });
      const onAbort = () => void transport.close();
      signal.addEventListener('abort', onAbort);
      try {
        await transport.open();
      } finally {
        signal.removeEventListener('abort', onAbort);
      }
      signal.throwIfAborted();
      return { transport, endpoint: new URL(sseUrl).pathname };
    },
  };
}

/** `/acp/rpc` and `/acp/sse`, below the path of the address if it has one. */
function addressOf(base: URL, end: string, clientId: string): string {
  const path = base.pathname === '/' ? '/acp' : base.pathname.replace(/\/$/, '');
  const query = base.search === '' ? '?' : `${base.search}&`;
  return `${base.origin}${path}/${end}${query}${CLIENT_ID_PARAMETER}=${clientId}`;
}
