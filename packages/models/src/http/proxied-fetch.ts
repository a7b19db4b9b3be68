import type { Fetch } from './http-answer.ts';
import { isLoopback } from './loopback.ts';

type Environment = Readonly<Record<string, string | undefined>>;

/**
 * `fetch` by way of the proxies that the environment names: `HTTPS_PROXY`, `HTTP_PROXY`, `ALL_PROXY`, less what
 * `NO_PROXY` leaves out. Undefined where there are none, and then nothing is loaded for it.
 */
export function proxiedFetch(env: Environment): Fetch | undefined {
  const read = (name: string): string | undefined => env[name] || env[name.toUpperCase()] || undefined;
  const all = read('all_proxy');
  const [httpProxy = all, httpsProxy = all, noProxy] = [read('http_proxy'), read('https_proxy'), read('no_proxy')];
  if (!httpProxy && !httpsProxy) return undefined;
  let opened: Promise<Fetch> | undefined;
  const open = async (): Promise<Fetch> => {
    const { EnvHttpProxyAgent, fetch } = await import('undici');
    const dispatcher = new EnvHttpProxyAgent({
      ...(httpProxy && { httpProxy }),
      ...(httpsProxy && { httpsProxy }),
      noProxy: noProxy ?? '',
    });
    // The same as the runtime's own, in the words of another package.
    return (input, init) => fetch(input, { ...init, dispatcher } as object) as unknown as Promise<Response>;
  };
  return async (input, init) => {
    if (isLoopback(input)) return globalThis.fetch(input, init);
    opened ??= open();
    return (await opened)(input, init);
  };
}
