import { lookup } from 'node:dns/promises';
import { ParleyError } from '@parley/jsonrpc';
import type { FetchedPage, WebOperations } from '../tools/operations.ts';
import { isPrivateAddress } from './addresses.ts';
import { textOfHtml } from './html-text.ts';

export interface WebOptions {
  /** Lets tools fetch from private networks and this machine. Default: false. */
  readonly isPrivateAllowed?: boolean;
  readonly timeoutMs?: number;
  readonly fetch?: typeof globalThis.fetch;
  /** The addresses behind a host name. */
  readonly resolve?: (host: string) => Promise<readonly string[]>;
}

const MAX_REDIRECTS = 5;
const DEFAULT_TIMEOUT_MS = 30_000;

export class WebError extends ParleyError {
  override readonly name = 'WebError';
}

/** Fetches pages as text. Every address on the way is checked, redirects included, so a page cannot lead inside. */
export function createWeb(options: WebOptions = {}): WebOperations {
  const {
    isPrivateAllowed = false,
    timeoutMs = DEFAULT_TIMEOUT_MS,
    fetch = globalThis.fetch,
    resolve = resolveHost,
  } = options;

  const requirePublic = async (url: URL): Promise<void> => {
    if (isPrivateAllowed) return;
    const host = url.hostname.replace(/^\[|\]$/g, '');
    const addresses = await resolve(host).catch(() => {
      throw new WebError('web_failed', `${host} could not be found. Check the address and the network.`);
    });
    const hidden = addresses.find(isPrivateAddress);
    if (hidden === undefined) return;
    throw new WebError(
      'web_forbidden',
      `${url.host} is on a private network (${hidden}); fetching from there is not allowed.`,
    );
  };

  return {
    async fetch(address, { signal, maxBytes }): Promise<FetchedPage> {
      const timeout = AbortSignal.timeout(timeoutMs);
      const either = signal ? AbortSignal.any([signal, timeout]) : timeout;
      let url = new URL(address);
      for (let redirects = 0; redirects <= MAX_REDIRECTS; redirects++) {
        if (!/^https?:$/.test(url.protocol))
          throw new WebError('web_forbidden', `${url.protocol} is not fetched; only http and https are.`);
        await requirePublic(url);
        const response = await fetch(url, {
          redirect: 'manual',
          signal: either,
          headers: { accept: 'text/html, text/plain, application/json;q=0.9, */*;q=0.5', 'user-agent': 'parley' },
        }).catch((error: unknown) => {
          signal?.throwIfAborted();
          const why = timeout.aborted ? `no answer within ${timeoutMs / 1000} s` : causeOf(error);
          throw new WebError('web_failed', `${url.host} could not be reached: ${why}.`, { cause: error });
        });
        const location = response.headers.get('location');
        if (response.status < 300 || response.status >= 400 || location === null)
          return readPage(response, url, maxBytes);
        await response.body?.cancel();
        url = new URL(location, url);
      }
      throw new WebError('web_failed', `${address} redirects more than ${MAX_REDIRECTS} times.`);
    },
  };
}

async function readPage(response: Response, url: URL, maxBytes: number): Promise<FetchedPage> {
  const contentType = response.headers.get('content-type') ?? '';
  if (!/^(text\/|application\/(json|xml|[\w.+-]*\+(json|xml)|javascript))|^$/.test(contentType)) {
    await response.body?.cancel();
    throw new WebError('web_failed', `${url.href} is ${contentType}, not text.`);
  }
  const { text, isTruncated } = await readText(response, maxBytes);
  return {
    url: url.href,
    status: response.status,
    contentType,
    text: contentType.includes('html') ? textOfHtml(text) : text,
    isTruncated,
  };
}

async function readText(response: Response, maxBytes: number): Promise<{ text: string; isTruncated: boolean }> {
  const decoder = new TextDecoder();
  let text = '';
  let bytes = 0;
  for await (const chunk of response.body ?? []) {
    bytes += chunk.byteLength;
    if (bytes > maxBytes)
      return { text: text + decoder.decode(chunk.subarray(0, maxBytes - bytes)), isTruncated: true };
    text += decoder.decode(chunk, { stream: true });
  }
  return { text: text + decoder.decode(), isTruncated: false };
}

async function resolveHost(host: string): Promise<readonly string[]> {
  return (await lookup(host, { all: true })).map(({ address }) => address);
}

function causeOf(error: unknown): string {
  const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error;
  return cause instanceof Error ? cause.message : String(cause);
}
