import { once } from 'node:events';
import http, { type IncomingMessage } from 'node:http';
import https from 'node:https';
import { isIP } from 'node:net';
import { pipeline, type Transform } from 'node:stream';
import { createBrotliDecompress, createGunzip, createInflate } from 'node:zlib';
import { isPrivateAddress } from './addresses.ts';
import { pinned, resolveHost } from './resolve-host.ts';
import { WebError } from './web-error.ts';

export interface OpenPageOptions {
  readonly headers: Readonly<Record<string, string>>;
  readonly mayReach?: (address: string) => boolean;
  readonly resolve?: (host: string) => Promise<readonly string[]>;
  readonly signal: AbortSignal;
}

/** An answer whose body has not been read yet. */
export interface OpenPage extends AsyncDisposable {
  readonly status: number;
  readonly contentType: string;
  readonly location: string | undefined;
  readonly body: AsyncIterable<Uint8Array>;
}

/** Asks for one page, without following redirects, from an address that is allowed. */
export async function openPage(url: URL, options: OpenPageOptions): Promise<OpenPage> {
  const { headers, signal } = options;
  const addresses = await requireAllowed(url, options);
  const { request } = url.protocol === 'https:' ? https : http;
  const asking = request(url, {
    headers: { ...headers, 'accept-encoding': 'gzip, deflate, br' },
    signal,
    agent: false,
    lookup: pinned(addresses),
  });
  asking.end();
  try {
    const [response] = (await once(asking, 'response')) as [IncomingMessage];
    const { statusCode = 0 } = response;
    return {
      status: statusCode,
      contentType: response.headers['content-type'] ?? '',
      location: response.headers.location,
      body: decoded(response),
      async [Symbol.asyncDispose]() {
        asking.destroy();
      },
    };
  } catch (error) {
    asking.destroy();
    signal.throwIfAborted();
    throw new WebError('web_failed', `${url.host} could not be reached: ${(error as Error).message}.`, {
      cause: error,
    });
  }
}

/** The addresses behind a URL, each of which may be reached. */
async function requireAllowed(url: URL, options: OpenPageOptions): Promise<readonly string[]> {
  const { mayReach = isPublic, resolve = resolveHost } = options;
  const host = url.hostname.replace(/^\[|\]$/g, '');
  const addresses = isIP(host) > 0 ? [host] : await findAddresses(host, resolve);
  const hidden = addresses.find((address) => !mayReach(address));
  if (hidden === undefined) return addresses;
  throw new WebError(
    'web_forbidden',
    `${url.host} is on a private network (${hidden}); fetching from there is not allowed.`,
  );
}

function isPublic(address: string): boolean {
  return !isPrivateAddress(address);
}

async function findAddresses(host: string, resolve: (host: string) => Promise<readonly string[]>) {
  const addresses = await resolve(host).catch(() => []);
  if (addresses.length > 0) return addresses;
  throw new WebError('web_failed', `${host} could not be found. Check the address and the network.`);
}

/** A page that breaks off breaks off its decoding, too. */
function decoded(response: IncomingMessage): AsyncIterable<Uint8Array> {
  const decoder = decoderFor(response.headers['content-encoding']);
  return decoder ? pipeline(response, decoder, () => {}) : response;
}

function decoderFor(encoding: string | undefined): Transform | undefined {
  if (encoding === 'gzip') return createGunzip();
  if (encoding === 'deflate') return createInflate();
  return encoding === 'br' ? createBrotliDecompress() : undefined;
}
