import { Agent, type Dispatcher, fetch, ProxyAgent } from 'undici';
import type { HttpPlatform } from '../http/platform.ts';
import type { NodeDialOptions } from './node-dial-options.ts';
import { findProxy } from './proxy.ts';

/**
 * HTTP by undici, for one transport: HTTP/2 where TLS agrees on it, certificates of one's own, and proxies. It has no timeouts
 * of its own, since a stream may be silent for long; those who ask have theirs.
 */
export function undiciPlatform(url: URL, options: NodeDialOptions): HttpPlatform {
  let dispatcher = createDispatcher(url, options);
  const older = new Set<Dispatcher>();
  return {
    fetch: (address, request) => fetch(address, { ...request, dispatcher }) as ReturnType<HttpPlatform['fetch']>,
    keepsCookies: false,
    renew() {
      const last = dispatcher;
      dispatcher = createDispatcher(url, options);
      older.add(last);
      void last
        .close()
        .catch(() => {})
        .finally(() => older.delete(last));
    },
    async release() {
      await Promise.all([dispatcher, ...older].map((each) => each.destroy()));
    },
  };
}

function createDispatcher(url: URL, { ca, proxy }: NodeDialOptions): Dispatcher {
  const trusted = ca === undefined ? {} : { ca: [ca].flat() };
  const common = { allowH2: true, headersTimeout: 0, bodyTimeout: 0 };
  const found = findProxy(url, proxy);
  if (!found) return new Agent({ ...common, connect: trusted });
  return new ProxyAgent({ ...common, uri: found.href, requestTls: trusted, proxyTunnel: true });
}
