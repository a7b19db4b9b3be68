import { runWithin, TimeLimitError } from '@parley/host/time';
import type { FetchedPage, WebOperations } from '../operations.ts';
import { textOfHtml } from './html-text.ts';
import type { OpenPage } from './open-page.ts';
import { WebError } from './web-error.ts';

export interface WebOptions {
  /** Whether pages may be fetched from an address. Default: from all that are on the public internet. */
  readonly mayReach?: (address: string) => boolean;
  readonly timeoutMs?: number;
  /** The addresses behind a host name. Default: asks the system. */
  readonly resolve?: (host: string) => Promise<readonly string[]>;
}

const MAX_REDIRECTS = 5;
const DEFAULT_TIMEOUT_MS = 30_000;
const HEADERS = { accept: 'text/html, text/plain, application/json;q=0.9, */*;q=0.5', 'user-agent': 'parley' };

/**
 * Fetches pages as text. Every address on the way is checked, redirects included, and the connection goes to the very
 * address that was checked: a name that means another machine a moment later (DNS rebinding) leads nowhere. A redirect to
 * another page is not followed but told: whether that page may be fetched is a question of its own.
 */
export function createWeb({ timeoutMs = DEFAULT_TIMEOUT_MS, ...options }: WebOptions = {}): WebOperations {
  return {
    async fetch(address, { signal, maxBytes }): Promise<FetchedPage> {
      const work = (until: AbortSignal) => follow(new URL(address), { ...options, signal: until, maxBytes });
      try {
        return await runWithin(timeoutMs, work, signal);
      } catch (error) {
        signal?.throwIfAborted();
        if (!(error instanceof TimeLimitError)) throw error;
        throw new WebError('web_failed', `${address} did not answer within ${timeoutMs / 1000} s.`, { cause: error });
      }
    },
  };
}

interface FollowOptions extends Omit<WebOptions, 'timeoutMs'> {
  readonly signal: AbortSignal;
  readonly maxBytes: number;
}

async function follow(start: URL, options: FollowOptions): Promise<FetchedPage> {
  const { signal, maxBytes, mayReach, resolve } = options;
  // Node's own client, because `fetch` cannot be told which address to connect to. Loaded when first needed.
  const { openPage } = await import('./open-page.ts');
  let url = start;
  for (let redirects = 0; redirects <= MAX_REDIRECTS; redirects++) {
    await using page = await openPage(url, {
      headers: HEADERS,
      signal,
      ...(mayReach && { mayReach }),
      ...(resolve && { resolve }),
    });
    const { status, location } = page;
    if (status < 300 || status >= 400 || location === undefined) return await readPage(page, url, maxBytes);
    const next = new URL(location, url);
    if (!/^https?:$/.test(next.protocol))
      throw new WebError('web_forbidden', `${next.protocol} is not fetched; only http and https are.`);
    if (!isSamePage(url, next))
      return { url: url.href, status, contentType: 'text/plain', text: '', isTruncated: false, redirect: next.href };
    url = next;
  }
  throw new WebError('web_failed', `${start.href} redirects more than ${MAX_REDIRECTS} times.`);
}

/** Another spelling of the same page: encrypted instead of plain, or with a slash at its end. */
function isSamePage(from: URL, to: URL): boolean {
  const isUpgrade = from.protocol === 'http:' && to.protocol === 'https:' && from.port === '' && to.port === '';
  if (from.origin !== to.origin && !(isUpgrade && from.hostname === to.hostname)) return false;
  const [before, after] = [from, to].map(({ pathname, search }) => pathname.replace(/\/$/, '') + search);
  return before === after;
}

async function readPage({ status, contentType, body }: OpenPage, url: URL, maxBytes: number): Promise<FetchedPage> {
  if (!/^(text\/|application\/(json|xml|[\w.+-]*\+(json|xml)|javascript))|^$/.test(contentType)) {
    throw new WebError('web_failed', `${url.href} is ${contentType}, not text.`);
  }
  const { text, isTruncated } = await readText(body, maxBytes);
  return {
    url: url.href,
    status,
    contentType,
    text: contentType.includes('html') ? textOfHtml(text) : text,
    isTruncated,
  };
}

async function readText(
  body: AsyncIterable<Uint8Array>,
  maxBytes: number,
): Promise<{ readonly text: string; readonly isTruncated: boolean }> {
  const decoder = new TextDecoder();
  let text = '';
  let room = maxBytes;
  for await (const chunk of body) {
    text += decoder.decode(chunk.subarray(0, room), { stream: true });
    room -= chunk.byteLength;
    if (room < 0) return { text, isTruncated: true };
  }
  return { text: text + decoder.decode(), isTruncated: false };
}
