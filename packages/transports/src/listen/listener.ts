import type { IncomingHttpHeaders } from 'node:http';
import type { SecureContextOptions } from 'node:tls';
import type { Transport } from '@parley/jsonrpc';
import type { ListenLimits } from './limits.ts';
import type { Route } from './routes/route.ts';

/** Which wire a client has come by. `http`: streamable HTTP. `sse`: HTTP+SSE. `post`: plain POST. */
export type Via = 'websocket' | 'http' | 'sse' | 'post';

/** One client that was let in. */
export interface AcceptedConnection {
  readonly transport: Transport;
  /** Who it is, as `authorize` has found out. */
  readonly principal: string;
  readonly via: Via;
  /** The name below which it has come in; undefined at the path itself. */
  readonly name?: string;
  /** The address at the far end of the socket; empty for a unix domain socket. */
  readonly remote: string;
}

/** A server that accepts clients until it is closed. */
export interface Listener extends AsyncDisposable {
  /** Where clients dial: `http://127.0.0.1:7700/acp`. */
  readonly url: string;
  /** 0 for a unix domain socket. */
  readonly port: number;
  /** Each client that is let in, once. Ends when the listener is closed. */
  readonly connections: AsyncIterable<AcceptedConnection>;
  /** Accepts nobody any more, sends what is queued for `graceMs` at most (default: 5 s), then ends all that is left. */
  close(options?: { readonly graceMs?: number }): Promise<void>;
}

/** What a request says of itself before anybody has looked at its body. */
export interface RequestToAuthorize {
  /** `GET` for a WebSocket. */
  readonly method: string;
  /** The path and the query. */
  readonly url: string;
  readonly headers: IncomingHttpHeaders;
  /** The bearer token, from `Authorization` or, since browsers can set no header there, from a WebSocket's subprotocol. */
  readonly token: string | undefined;
  readonly remote: string;
}

/** Lets a request in as somebody, or refuses it in its own words. `undefined` refuses it with 401. */
export type Authorization =
  | { readonly principal: string }
  | { readonly status: number; readonly message: string; readonly headers?: Readonly<Record<string, string>> }
  | undefined;

export type Authorize = (request: RequestToAuthorize) => Authorization | Promise<Authorization>;

/** A request that was refused by the listener itself. */
export interface RefusedRequest {
  readonly status: number;
  /** What the client was told. */
  readonly message: string;
  readonly method: string;
  /** Without the query, which may hold secrets. */
  readonly path: string;
  readonly remote: string;
  /** Who it was, where that was known already. */
  readonly principal?: string;
  /** What `authorize` or a route threw. */
  readonly error?: unknown;
}

export interface ListenOptions {
  /** Default: `127.0.0.1`. With another, other machines can reach the agent. */
  readonly host?: string;
  /** 0 takes a free one. */
  readonly port?: number;
  /** A unix domain socket, in place of `host` and `port`. */
  readonly socketPath?: string;
  /** Who may connect to the socket, as a file mode. Default: 0o600, the user alone. */
  readonly socketMode?: number;
  /** Default: `/acp`. The other wires are below it: `/acp/rpc`, `/acp/sse`, `/acp/post`. */
  readonly path?: string;
  /** Further agents, each with all wires at a path of its own: `/acp/<name>`. Each connection tells the name that it came by. */
  readonly names?: readonly string[];
  /** Clients must send it as `Authorization: Bearer`. They are all `local`. One of this, `tokens` and `authorize` must be given. */
  readonly token?: string;
  /** Tokens of several principals, by their names. Each has one of their own. */
  readonly tokens?: Readonly<Record<string, string>>;
  /** Decides on every request and upgrade. `anyone` lets in every program of every user that reaches the port. */
  readonly authorize?: Authorize | 'anyone';
  /** Names in `Host` besides those of this machine's loopback and the address that is listened on. */
  readonly hosts?: readonly string[];
  /** Origins of web pages, like `https://app.example`, that may connect. Default: only pages of this very server. */
  readonly origins?: readonly string[];
  /** What is served beside the agents: by its path, like `/healthz`, or below one that ends with a slash, like `/web/`; `/` alone is only itself. */
  readonly routes?: Readonly<Record<string, Route>>;
  /** Hears of every request that was not let in, or that failed here. Must not throw. */
  readonly onRefusal?: (refusal: RefusedRequest) => void;
  /** Serves https and wss, with HTTP/2 by ALPN. */
  readonly tls?: SecureContextOptions;
  readonly limits?: Partial<ListenLimits>;
}
