import { webTextCodec } from '../../framing/text-codec.ts';
import type { CookieJar } from '../cookie-jar.ts';
import { type DialOptions, getHeaders, type HeaderOptions } from '../dial-options.ts';
import { explainFailure, refusalError, timeoutError } from '../explain-failure.ts';
import { MAX_ERROR_BODY_BYTES } from '../limits.ts';
import { NetworkError } from '../network-error.ts';
import type { HttpPlatform, HttpRequest, HttpResponse } from './platform.ts';

export interface RequesterOptions {
  readonly platform: HttpPlatform;
  /** The address in errors. */
  readonly name: string;
  readonly cookies: CookieJar;
  readonly dial: Pick<DialOptions, 'token'> & HeaderOptions;
}

export interface OneRequest {
  readonly method: HttpRequest['method'];
  readonly url: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
  /** Ends the request, and the reading of its answer. */
  readonly controller: AbortController;
  /** How long the answer may take to begin. */
  readonly timeoutMs: number;
}

/** Sends requests with one's own header fields, a fresh token and the cookies so far; explains what fails. */
export class Requester {
  readonly name: string;
  readonly #options: RequesterOptions;

  constructor(options: RequesterOptions) {
    this.name = options.name;
    this.#options = options;
  }

  /** Resolves with whatever the server answers, once its head is there; rejects with a `NetworkError`. */
  async send({ method, url, headers = {}, body, controller, timeoutMs }: OneRequest): Promise<HttpResponse> {
    const { platform, cookies, dial } = this.#options;
    return await this.within(timeoutMs, controller, async () => {
      const own = await getHeaders(dial);
      const cookie = platform.keepsCookies ? undefined : cookies.header;
      controller.signal.throwIfAborted();
      const response = await platform.fetch(url, {
        method,
        headers: { ...own, ...(cookie !== undefined && { cookie }), ...headers },
        ...(body !== undefined && { body }),
        signal: controller.signal,
        redirect: 'manual',
        cache: 'no-store',
        credentials: 'same-origin',
      });
      cookies.store(response.headers.getSetCookie?.() ?? []);
      return response;
    });
  }

  /** Does something with a request or its answer; when that takes too long the request is over. Rejects with a `NetworkError`. */
  async within<Result>(timeoutMs: number, controller: AbortController, work: () => Promise<Result>): Promise<Result> {
    const timer = setTimeout(() => controller.abort(timeoutError(this.name, timeoutMs)), timeoutMs);
    try {
      return await work();
    } catch (error) {
      throw this.explain(error, controller);
    } finally {
      clearTimeout(timer);
    }
  }

  /** Requests to come go over new connections. */
  renewSockets(): void {
    this.#options.platform.renew?.();
  }

  /** What an error of a request or of the reading of its answer means. */
  explain(error: unknown, { signal }: AbortController): NetworkError {
    return signal.reason instanceof NetworkError ? signal.reason : explainFailure(error, this.name);
  }

  /** The error for an answer that is not the one that was asked for; reads the beginning of its body, unless that was done. */
  async refuse(response: HttpResponse, expected: string, read?: string): Promise<NetworkError> {
    const body = read ?? (await readText(response, MAX_ERROR_BODY_BYTES).catch(() => ''));
    const { status, type, headers } = response;
    // A browser does not show the status of a redirect.
    const shown = type === 'opaqueredirect' ? 302 : status;
    const [contentType, location] = [headers.get('content-type'), headers.get('location')];
    return refusalError({ name: this.name, status: shown, contentType, location, body, expected });
  }
}

/** The body as text, at most so many bytes of it. */
export async function readText({ body }: HttpResponse, maxBytes: number): Promise<string> {
  if (!body) return '';
  const reader = body.getReader();
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  for (let piece = await reader.read(); !piece.done && bytes <= maxBytes; piece = await reader.read()) {
    if (!piece.value) continue;
    chunks.push(piece.value);
    bytes += piece.value.length;
  }
  if (bytes > maxBytes) void reader.cancel().catch(() => {});
  const joined = new Uint8Array(bytes);
  let offset = 0;
  for (const chunk of chunks) {
    joined.set(chunk, offset);
    offset += chunk.length;
  }
  return webTextCodec.utf8(joined, 0, Math.min(bytes, maxBytes + 1));
}
