import { type CloseReason, type Connection, createConnection, RpcError, type Transport } from '@parley/jsonrpc';

/** One message on its way through a proxy. */
export interface ProxyMessage {
  /** Who has sent it: the client's side, or the agent's. */
  readonly from: 'client' | 'agent';
  readonly method: string;
  readonly params: unknown;
}

/** Passes a message on, with other params where they are given. */
export type ForwardRequest = (params?: unknown) => Promise<unknown>;
export type ForwardNotification = (params?: unknown) => void;

/** What a proxy does with what passes through it. Without a handler everything passes unchanged. */
export interface ProxyHandlers {
  /** Answers a request: by `forward`, by itself, or with a change to what `forward` answers. Also sees `initialize`. */
  readonly onRequest?: (message: ProxyMessage & { readonly signal: AbortSignal }, forward: ForwardRequest) => unknown;
  /** Passes a notification on with `forward`; without that it goes no further. */
  readonly onNotification?: (message: ProxyMessage, forward: ForwardNotification) => void;
}

export interface ServeProxyOptions {
  /** Closes the connection. */
  readonly signal?: AbortSignal;
}

const SUCCESSOR = 'proxy/successor';

/**
 * Serves as a proxy between a client and an agent: one connection, to a conductor that stands between all of them. What
 * comes from the client's side comes plain and goes on in `proxy/successor`; what comes from the agent's side, the other
 * way round. Unstable in the protocol. Resolves when the connection has ended.
 */
export async function serveProxy(
  transport: Transport,
  handlers: ProxyHandlers = {},
  { signal }: ServeProxyOptions = {},
): Promise<CloseReason> {
  const connection = createConnection(transport);
  const close = (): void => void connection.close();
  signal?.addEventListener('abort', close, { once: true });
  if (signal?.aborted) close();
  putProxyOn(connection, handlers);
  const reason = await connection.closed;
  signal?.removeEventListener('abort', close);
  return reason;
}

function putProxyOn(connection: Connection, { onRequest, onNotification }: ProxyHandlers): void {
  let isInitialized = false;
  const pass = onRequest ?? ((_message, forward) => forward());
  const tell = onNotification ?? ((_message, forward) => forward());

  connection.onRequest('initialize', () => {
    throw RpcError.invalidRequest('This is a proxy; a conductor begins with proxy/initialize.');
  });
  connection.onRequest('proxy/initialize', async ({ params, signal }) => {
    if (isInitialized) throw RpcError.invalidRequest('This connection is initialized already.');
    isInitialized = true;
    let hasAsked = false;
    const answer = await pass({ from: 'client', method: 'initialize', params, signal }, (changed = params) => {
      hasAsked = true;
      // The version is the conductor's to choose.
      const sent = withVersionOf(params, changed);
      return connection.request(SUCCESSOR, { method: 'initialize', params: sent }, { signal });
    });
    if (!hasAsked) throw RpcError.internalError('A proxy must ask its successor before it answers proxy/initialize.');
    return answer;
  });
  connection.onRequest(SUCCESSOR, ({ params, signal }) => {
    const { method, params: inner } = readEnvelope(params);
    return pass({ from: 'agent', method, params: inner, signal }, (changed = inner) =>
      connection.request(method, changed, { signal }),
    );
  });
  connection.onAnyRequest(({ method, params, signal }) => {
    if (!isInitialized) throw RpcError.invalidRequest(`${method} came before proxy/initialize`);
    return pass({ from: 'client', method, params, signal }, (changed = params) =>
      connection.request(SUCCESSOR, { method, params: changed }, { signal }),
    );
  });
  connection.onNotification(SUCCESSOR, (params) => {
    const { method, params: inner } = readEnvelope(params);
    tell({ from: 'agent', method, params: inner }, (changed = inner) => void connection.notify(method, changed));
  });
  connection.onAnyNotification((params, method) =>
    tell({ from: 'client', method, params }, (changed = params) => {
      void connection.notify(SUCCESSOR, { method, params: changed });
    }),
  );
}

function withVersionOf(params: unknown, changed: unknown): unknown {
  const { protocolVersion } = (params ?? {}) as { readonly protocolVersion?: unknown };
  return { ...(changed as object), protocolVersion };
}

function readEnvelope(value: unknown): { readonly method: string; readonly params: unknown } {
  const { method, params } = (value ?? {}) as { readonly method?: unknown; readonly params?: unknown };
  if (typeof method !== 'string') throw RpcError.invalidParams('method: expected string');
  return { method, params };
}
