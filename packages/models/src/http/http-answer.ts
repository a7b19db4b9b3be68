export type Fetch = (input: string, init: RequestInit) => Promise<Response>;

export interface AnswerRequest {
  readonly url: string;
  readonly method: 'GET' | 'POST';
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string;
  readonly fetch?: Fetch | undefined;
  /** Ends every wait, for the headers and for each piece of the body, and closes the connection. */
  readonly signal: AbortSignal;
}

/** The answer to an HTTP request, read piece by piece. */
export interface HttpAnswer {
  readonly status: number;
  readonly isOk: boolean;
  readonly headers: Headers;
  /** The next bytes; undefined at the end. Throws the signal's reason once it has fired. */
  read(): Promise<Uint8Array | undefined>;
  /** Closes the connection, unless the body was read to its end. */
  close(): void;
}

/**
 * Sends a request and waits for the headers of its answer. The runtime alone does not end a body when its signal fires:
 * Node 20 and 22 forget the signal once the request has been garbage-collected, so here the reader is cancelled as well.
 * A redirect is handed back like any other answer and never followed: it would carry the key to another host.
 */
export async function openAnswer(request: AnswerRequest): Promise<HttpAnswer> {
  const { url, method, headers, body, fetch = globalThis.fetch, signal } = request;
  signal.throwIfAborted();
  const init: RequestInit = { method, headers, redirect: 'manual', signal, ...(body !== undefined && { body }) };
  const response = await untilAborted(fetch(url, init), signal);
  const reader = response.body?.getReader();
  const cancel = (): void => void reader?.cancel(signal.reason).catch(() => {});
  signal.addEventListener('abort', cancel, { once: true });
  return {
    status: response.status,
    isOk: response.ok,
    headers: response.headers,
    async read() {
      const { done, value } = (await reader?.read()) ?? { done: true };
      // A cancelled reader says that the body is over.
      signal.throwIfAborted();
      return done ? undefined : (value as Uint8Array);
    },
    close() {
      signal.removeEventListener('abort', cancel);
      cancel();
    },
  };
}

/** Reads at most so many bytes as text; an endless body must not fill the memory. */
export async function readText(read: HttpAnswer['read'], maxBytes: number): Promise<string> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  while (size < maxBytes) {
    const bytes = await read();
    if (bytes === undefined) break;
    chunks.push(bytes);
    size += bytes.length;
  }
  return Buffer.concat(chunks).subarray(0, maxBytes).toString('utf8');
}

/** An answer that comes too late is closed unread. */
function untilAborted(pending: Promise<Response>, signal: AbortSignal): Promise<Response> {
  return new Promise((resolve, reject) => {
    const abort = (): void => {
      reject(signal.reason);
      pending.then(({ body }) => body?.cancel()).catch(() => {});
    };
    signal.addEventListener('abort', abort, { once: true });
    pending.then(resolve, reject).finally(() => signal.removeEventListener('abort', abort));
  });
}
