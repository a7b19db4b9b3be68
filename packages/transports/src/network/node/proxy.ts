import { Buffer } from 'node:buffer';
import { request as httpRequest } from 'node:http';
import { request as httpsRequest } from 'node:https';
import type { Socket } from 'node:net';
import { refusalError } from '../explain-failure.ts';

type Environment = Readonly<Record<string, string | undefined>>;

/** The proxy that stands between us and an address, if any. What is on this machine is reached directly, unless told otherwise. */
export function findProxy(
  url: URL,
  option: string | URL | false | undefined,
  env: Environment = process.env,
): URL | undefined {
  if (option === false) return undefined;
  if (option !== undefined) return parseProxy(String(option));
  const isSecure = url.protocol === 'https:' || url.protocol === 'wss:';
  const named = isSecure
    ? (env.https_proxy ?? env.HTTPS_PROXY ?? env.http_proxy ?? env.HTTP_PROXY)
    : (env.http_proxy ?? env.HTTP_PROXY);
  if (!named || isLoopback(url.hostname) || isExcluded(url, env.no_proxy ?? env.NO_PROXY ?? '')) return undefined;
  return parseProxy(named);
}

export interface TunnelOptions {
  readonly proxy: URL;
  readonly host: string;
  readonly port: number;
  readonly timeoutMs: number;
  readonly signal: AbortSignal;
}

/** A connection to a host through a proxy's `CONNECT`. */
export function openTunnel({ proxy, host, port, timeoutMs, signal }: TunnelOptions): Promise<Socket> {
  const authority = `${host}:${port}`;
  const open = proxy.protocol === 'https:' ? httpsRequest : httpRequest;
  return new Promise((resolve, reject) => {
    const request = open({
      host: proxy.hostname.replaceAll(/[[\]]/g, ''),
      port: proxy.port || (proxy.protocol === 'https:' ? 443 : 80),
      method: 'CONNECT',
      path: authority,
      headers: { host: authority, ...proxyAuthorization(proxy) },
      agent: false,
      timeout: timeoutMs,
      signal,
    });
    request.once('connect', ({ statusCode = 0 }, socket) => {
      if (statusCode === 200) return resolve(socket as Socket);
      socket.destroy();
      const name = `The proxy ${proxy.host}`;
      reject(refusalError({ name, status: statusCode, body: `no tunnel to ${authority}`, expected: 'with 200' }));
    });
    request.once('timeout', () =>
      request.destroy(Object.assign(new Error('the proxy did not answer'), { code: 'ETIMEDOUT' })),
    );
    request.once('error', reject);
    request.end();
  });
}

/** The header with the user and the password of a proxy's address, if it has any. */
export function proxyAuthorization({ username, password }: URL): Readonly<Record<string, string>> {
  if (username === '') return {};
  const user = decodeURIComponent(`${username}:${password}`);
  return { 'proxy-authorization': `Basic ${Buffer.from(user).toString('base64')}` };
}

function parseProxy(text: string): URL {
  const url = URL.canParse(text) && text.includes('://') ? new URL(text) : new URL(`http://${text}`);
  if (url.protocol !== 'http:' && url.protocol !== 'https:') {
    throw new TypeError(
      `The proxy ${url.protocol}//${url.host} is of a kind that is not supported; use one of http: or https:.`,
    );
  }
  return url;
}

function isLoopback(hostname: string): boolean {
  return (
    hostname === 'localhost' || hostname.endsWith('.localhost') || hostname === '[::1]' || hostname.startsWith('127.')
  );
}

/** `NO_PROXY`: names, suffixes with or without a leading dot, each with an optional port, or `*`. */
function isExcluded(url: URL, list: string): boolean {
  const host = url.hostname.toLowerCase();
  const port = url.port || (url.protocol === 'https:' || url.protocol === 'wss:' ? '443' : '80');
  return list
    .toLowerCase()
    .split(/[\s,]+/)
    .some((entry) => {
      if (entry === '*') return true;
      const [, name = '', wantedPort] = /^(.*?)(?::(\d+))?$/.exec(entry) ?? [];
      if (name === '' || (wantedPort !== undefined && wantedPort !== port)) return false;
      const suffix = name.replace(/^\*?\./, '');
      return host === suffix || host.endsWith(`.${suffix}`);
    });
}
