import { pause } from '@parley/jsonrpc/internal';
import { DEFAULT_MAX_MESSAGE_BYTES } from '../../framing/framing.ts';
import { isContentType, JSON_TYPE } from '../headers.ts';
import { MAX_ERROR_BODY_BYTES } from '../limits.ts';
import type { NetworkError } from '../network-error.ts';
import { pauseBefore } from '../redial.ts';
import type { HttpResponse } from './platform.ts';
import { type Requester, readText } from './requester.ts';

/**
 * What became of a POST. `rejected`: the server does not want this message, the connection may go on. `failed`: the connection
 * is over, or nobody knows whether the message has arrived.
 */
export type Posted =
  | { readonly kind: 'accepted'; readonly response: HttpResponse; readonly text: string }
  | { readonly kind: 'rejected' | 'failed'; readonly error: NetworkError };

export interface PostOptions {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  readonly controller: AbortController;
  readonly timeoutMs: number;
  /** How long a server that cannot be reached, or is busy, is tried again. */
  readonly retryMs: number;
  /** Whether the server was ever there: one that was not is told at once, since whoever dials can dial again. */
  readonly wasReached: boolean;
  readonly maxMessageBytes?: number | undefined;
}

/** Posts one message. It is sent again only when it certainly has not arrived. */
export async function postMessage(requester: Requester, options: PostOptions): Promise<Posted> {
  const { url, headers, body, controller, timeoutMs, retryMs } = options;
  const startedAt = performance.now();
  for (let attempt = 1; ; attempt += 1) {
    const mayRetry = performance.now() - startedAt < retryMs && !controller.signal.aborted;
    try {
      const all = { 'content-type': JSON_TYPE, accept: JSON_TYPE, ...headers };
      const response = await requester.send({ method: 'POST', url, headers: all, body, controller, timeoutMs });
      if (isBusy(response) && mayRetry) {
        await readText(response, 0);
        await pause(retryAfter(response) ?? pauseBefore(attempt), controller.signal);
        continue;
      }
      // A line that breaks amidst the answer tells nobody.
      return await requester.within(timeoutMs, controller, () => readPosted(requester, response, options));
    } catch (error) {
      const failure = requester.explain(error, controller);
      const hasArrived = failure.kind !== 'unreachable' && failure.kind !== 'name_not_found';
      if (hasArrived || !mayRetry || !options.wasReached) return { kind: 'failed', error: failure };
      await pause(pauseBefore(attempt), controller.signal);
    }
  }
}

async function readPosted(requester: Requester, response: HttpResponse, options: PostOptions): Promise<Posted> {
  const { maxMessageBytes = DEFAULT_MAX_MESSAGE_BYTES } = options;
  const { status } = response;
  if (status < 200 || status >= 300) {
    const error = await requester.refuse(response, JSON_TYPE);
    return { kind: FATAL.has(status) || status < 400 ? 'failed' : 'rejected', error };
  }
  if (status === 202 || status === 204) {
    await readText(response, 0);
    return { kind: 'accepted', response, text: '' };
  }
  const isJson = isContentType(response.headers.get('content-type'), JSON_TYPE);
  const text = await readText(response, isJson ? maxMessageBytes : MAX_ERROR_BODY_BYTES);
  if (text.length > maxMessageBytes) {
    return { kind: 'failed', error: await requester.refuse(response, `at most ${maxMessageBytes} bytes`, '') };
  }
  if (isJson || text === '') return { kind: 'accepted', response, text };
  return { kind: 'failed', error: await requester.refuse(response, JSON_TYPE, text) };
}

/** The connection is gone, or we may not use it any more. */
const FATAL: ReadonlySet<number> = new Set([401, 403, 404, 410]);

/** The server says itself that it has not taken the message. */
function isBusy({ status }: HttpResponse): boolean {
  return status === 429 || status === 503;
}

function retryAfter({ headers }: HttpResponse): number | undefined {
  const seconds = Number(headers.get('retry-after') ?? Number.NaN);
  return Number.isFinite(seconds) && seconds >= 0 ? Math.min(seconds, 30) * 1000 : undefined;
}
