/** What is used of `fetch`, so that any platform's will do. */
export interface HttpRequest {
  readonly method: 'GET' | 'POST' | 'DELETE';
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string;
  readonly signal: AbortSignal;
  readonly redirect: 'manual';
  readonly cache: 'no-store';
  readonly credentials: 'include' | 'same-origin';
}

export interface HttpResponse {
  readonly status: number;
  readonly type: string;
  readonly headers: { get(name: string): string | null; getSetCookie?(): string[] };
  readonly body: { getReader(): ByteReader } | null;
}

export interface ByteReader {
  read(): Promise<{ readonly done: boolean; readonly value?: Uint8Array | undefined }>;
  cancel(reason?: unknown): Promise<void>;
}

/** The HTTP of a platform, for the life of one transport. */
export interface HttpPlatform {
  fetch(url: string, request: HttpRequest): Promise<HttpResponse>;
  /** Whether the platform keeps cookies itself, as browsers do. */
  readonly keepsCookies: boolean;
  /** Uses none of its sockets for further requests; those that are under way go on. A browser finds dead ones out by itself. */
  renew?(): void;
  /** Gives the sockets back. */
  release(): Promise<void>;
}

/** The platform's own `fetch`. A browser sends cookies to other origins only where the server allows it. */
export function platformFetch(credentials: HttpRequest['credentials']): HttpPlatform {
  const { fetch } = globalThis as unknown as { readonly fetch: HttpPlatform['fetch'] };
  return {
    fetch: (url, request) => fetch(url, { ...request, credentials }),
    keepsCookies: true,
    release: async () => {},
  };
}
