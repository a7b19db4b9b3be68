import type { IncomingHttpHeaders } from 'node:http';

/** Something that is served on the port beside ACP: a health check, metrics, a page. */
export interface Route {
  /** `token`: only for those who may use the agents. `anyone`: for every program and page that `Host` and `Origin` let through. */
  readonly access: 'anyone' | 'token';
  /** Default: GET. Where there is GET, there is HEAD. */
  readonly methods?: readonly string[];
  /** What it throws is answered with 500, and without its words. */
  handle(request: RouteRequest): RouteReply | Promise<RouteReply>;
}

export interface RouteRequest {
  readonly method: string;
  /** Without the query. */
  readonly path: string;
  readonly query: URLSearchParams;
  readonly headers: IncomingHttpHeaders;
  /** Who asks; undefined on a route for anyone. */
  readonly principal: string | undefined;
  readonly remote: string;
  /** Aborts when the client is gone, or the listener closes. */
  readonly signal: AbortSignal;
}

export interface RouteReply {
  readonly status: number;
  /** `content-type` is plain text for a string and `application/octet-stream` for bytes, unless it is said here. */
  readonly headers?: Readonly<Record<string, string>>;
  /**
   * A stream is sent as it comes, and asked for its next piece when the client has taken the last; it is ended with its client. What it
   * throws cuts the answer off.
   */
  readonly body?: string | Uint8Array | AsyncIterable<string | Uint8Array>;
}
