import { CookieJar } from '../network/cookie-jar.ts';
import { type HeaderOptions, type NetworkAgent, nameOfAddress, parseAddress } from '../network/dial-options.ts';
import type { HttpClientOptions } from '../network/http/http-client-options.ts';
import type { HttpPlatform } from '../network/http/platform.ts';
import { Requester } from '../network/http/requester.ts';
import { createRedial } from '../network/redial.ts';
import { HttpTransport } from './http-transport.ts';
import { PostTransport } from './post-transport.ts';

/** Makes the HTTP of a platform, for one transport. */
export type CreatePlatform = (url: URL) => HttpPlatform;

type AnyHttpOptions = HttpClientOptions & HeaderOptions;

/** An agent behind an address whose transports post what they send. */
export function createHttpAgent(
  address: string | URL,
  { options, createPlatform, kind }: { options: AnyHttpOptions; createPlatform: CreatePlatform; kind: 'http' | 'post' },
): NetworkAgent {
  const url = parseAddress(address, ['https:', 'http:']);
  const name = options.name ?? nameOfAddress(url);
  const cookies = new CookieJar();
  return {
    name,
    redial: createRedial(options),
    carriesUpdates: kind === 'http',
    async open(signal) {
      signal.throwIfAborted();
      const platform = createPlatform(url);
      const requester = new Requester({ platform, name, cookies, dial: options });
      const all = { ...options, requester, platform, url: url.href };
      let carriesUpdates = kind === 'http';
      const onPlain = (): void => {
        carriesUpdates = false;
      };
      const onStream = (): void => {
        carriesUpdates = true;
      };
      const transport =
        kind === 'http' ? new HttpTransport({ ...all, onPlain }) : new PostTransport({ ...all, onStream });
      return { transport, carriesUpdates: () => carriesUpdates };
    },
  };
}
