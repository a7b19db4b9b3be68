import { type CloseReason, type Connection, createConnection, RpcError, type Transport } from '@parley/jsonrpc';
import { v1 } from '@parley/protocol';
import { checked } from './refusals.ts';
import type { AgentRuntime } from './runtime.ts';
import type { ServedClient } from './served-client.ts';
import { serveV1 } from './wire/v1.ts';
import { serveUnstable } from './wire/v1-unstable.ts';

/** Whose sessions these are when nobody says: the one person at this machine, as the store calls them. */
export const DEFAULT_PRINCIPAL = 'local';

export interface ServeOptions {
  /** Who is at the far end, as whoever opened the transport has found out. Sessions belong to them. Default: `local`. */
  readonly principal?: string;
  /** Closes the connection. */
  readonly signal?: AbortSignal;
}

/** Serves one client until its connection has ended and everything it had open is closed. */
export async function serveTransport(
  runtime: AgentRuntime,
  transport: Transport,
  { principal = DEFAULT_PRINCIPAL, signal }: ServeOptions,
): Promise<CloseReason> {
  const { definition } = runtime;
  const connection = createConnection(transport, { onDiagnostic: definition.report });
  const stopListening = closeOnAbort(connection, signal);
  let client: ServedClient | undefined;

  connection.onAnyRequest(({ method }) => {
    if (client) throw RpcError.methodNotFound(method);
    throw RpcError.invalidRequest(`${method} came before initialize, which must be the first request`);
  });
  // The other handlers are registered by initialize, so that until then nothing else is served.
  connection.onRequest('initialize', ({ params }) => {
    if (client) throw RpcError.invalidRequest('This connection is initialized already.');
    // Every version begins with this request; one that we do not speak is answered with the latest that we do.
    const initialize = checked(() => v1.parseParams('initialize', params));
    const { service, response } = serveV1({ connection, runtime, principal, initialize });
    if (definition.isUnstable) serveUnstable(service);
    client = service.client;
    return response;
  });

  const reason = await connection.closed;
  stopListening();
  await client?.end();
  return reason;
}

function closeOnAbort(connection: Connection, signal: AbortSignal | undefined): () => void {
  const onAbort = (): void => void connection.close();
  signal?.addEventListener('abort', onAbort, { once: true });
  if (signal?.aborted) onAbort();
  return () => signal?.removeEventListener('abort', onAbort);
}
