import type { DialectSetting } from '@parley/dialects';
import {
  type CloseReason,
  type Connection,
  createConnection,
  isRequestId,
  RpcError,
  type Transport,
} from '@parley/jsonrpc';
import { parseInitialize, sessionIdOf } from '@parley/protocol/initialize';
import { type AgentAtWork, whileServing } from '../service/agent-at-work.ts';
import { checked } from '../service/checked.ts';
import { Credentials } from '../service/credentials.ts';
import { LazyService } from './lazy-service.ts';
import { chooseVersion } from './versions.ts';

/** Whose sessions these are when nobody says: the one person at this machine, as the store calls them. */
export const DEFAULT_PRINCIPAL = 'local';

export interface ServeOptions {
  /** Who is at the far end, as whoever opened the transport has found out. Sessions belong to them. Default: `local`; a listener tells it. */
  readonly principal?: string;
  /**
   * What becomes of the turns that the client has begun when it is gone. `cancel`: they end, as when an editor that has started
   * its agent ends. `keep`: they go on; whoever opens the session follows them, answers what they ask, or cancels them.
   * Default: `cancel`; of a listener `keep`, since networks break.
   */
  readonly whenClientLeaves?: 'cancel' | 'keep';
  /** By which wire the client has come: `sse` is HTTP+SSE, which clients of the dialect `elephant` use. A listener reports it. */
  readonly via?: string;
  /** Closes the connection, or the listener. */
  readonly signal?: AbortSignal;
  /** How the client words ACP; `auto` finds out. Default: `canonical`. */
  readonly dialect?: DialectSetting;
}

/** Serves one client until its connection has ended and everything it had open is closed. */
export function serveTransport(agent: AgentAtWork, transport: Transport, options: ServeOptions): Promise<CloseReason> {
  return whileServing(agent, transport, serveClient(agent, transport, options));
}

async function serveClient(agent: AgentAtWork, transport: Transport, options: ServeOptions): Promise<CloseReason> {
  const { principal = DEFAULT_PRINCIPAL, signal, dialect = 'canonical', whenClientLeaves = 'cancel', via } = options;
  const { definition } = agent;
  const credentials = new Credentials();
  const wire =
    dialect === 'canonical' ? transport : await speak(transport, dialect, { agent, principal, credentials, via });
  let service: LazyService | undefined;
  const connection = createConnection(wire, {
    onDiagnostic: definition.report,
    sessionIdOf,
    strictIds: () => service?.version.hasStrictIds ?? false,
  });
  const stopListening = closeOnAbort(connection, signal);
  const refuseEarly = (): void =>
    connection.onAnyRequest(({ method }) => {
      throw RpcError.invalidRequest(`${method} came before initialize, which must be the first request`);
    });

  // The other handlers are registered by initialize, so that until then nothing else is served.
  refuseEarly();
  connection.onRequest('initialize', ({ params, id }) => {
    if (service && !service.isRepeatable) throw RpcError.invalidRequest('This connection is initialized already.');
    const before = service;
    const initialize = checked(() => parseInitialize(params));
    const version = chooseVersion(initialize, definition);
    if (before && version.version < before.version.version)
      throw RpcError.invalidRequest(`This connection speaks version ${before.version.version} already.`);
    if (!isRequestId(id, version.hasStrictIds))
      throw RpcError.invalidRequest('Invalid request: id must be a string or an integer');
    before?.release();
    const next = new LazyService({
      agent,
      connection,
      principal,
      initialize,
      params,
      credentials,
      whenClientLeaves,
      version,
    });
    service = next;
    const answer = next.begin();
    if (!(answer instanceof Promise)) return answer;
    return answer.catch((error: unknown) => {
      next.release();
      service = before;
      if (before) before.listen();
      else refuseEarly();
      throw error;
    });
  });

  const reason = await connection.closed;
  stopListening();
  await service?.close();
  return reason;
}

interface SpeakParts {
  readonly agent: AgentAtWork;
  readonly principal: string;
  readonly credentials: Credentials;
  readonly via: string | undefined;
}

/** Puts a dialect on the wire of a client, with the facts that only the agent has: its modes, its sessions, the wire. */
async function speak(transport: Transport, setting: DialectSetting, parts: SpeakParts): Promise<Transport> {
  const { agent, principal, credentials, via } = parts;
  const { speakDialect } = await import('@parley/dialects/speak');
  const given = typeof setting === 'string' ? { dialect: setting } : setting;
  return speakDialect(transport, {
    modes: agent.definition.modes,
    takeCredentials: (methodId, secret) => credentials.give(methodId, secret),
    // Dialects are ways to speak version 1. One more file of its own would be opened at every start.
    findSession: async (sessionId) => (await import('../peer/v1/serve.ts')).findSession(agent, principal, sessionId),
    ...(via === 'sse' && { endpoint: '/acp/sse' }),
    ...given,
  });
}

function closeOnAbort(connection: Connection, signal: AbortSignal | undefined): () => void {
  const onAbort = (): void => void connection.close();
  signal?.addEventListener('abort', onAbort, { once: true });
  if (signal?.aborted) onAbort();
  return () => signal?.removeEventListener('abort', onAbort);
}
