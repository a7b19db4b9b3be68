import type { Client, ExtensionContext } from '@parley/agent';
import { RpcError } from '@parley/jsonrpc';
import type { ForeignSessions } from './foreign/agent-process.ts';
import type { AgentProcesses } from './foreign/agent-processes.ts';
import type { HostedSession } from './hosted-session.ts';
import { toAgent, toClient } from './refusals.ts';

/** What the methods of one host are passed on with. */
export interface RelayParts {
  readonly processes: AgentProcesses<HostedSession>;
  /** The session of ours that is hosted under this id. */
  readonly hosted: (principal: string, sessionId: string) => HostedSession | undefined;
}

/** Who can be told what the agent of one process says. */
export interface ClientsOfProcess {
  /** The sessions of the process, by their names there. */
  readonly sessions: ForeignSessions<HostedSession>;
  /** A client for what belongs to no session: the one of the process's principal that was heard last. */
  readonly latestClient: () => Client | undefined;
}

// Methods that are no part of the protocol pass both ways. All that is known of them is that a `sessionId` names a session, which
// has another name on the other side.

/** A client asks the agent. */
export async function relayToAgent(parts: RelayParts, context: ExtensionContext): Promise<unknown> {
  const { method, signal } = context;
  try {
    const { process, params: named } = await forAgent(parts, context);
    const result = await process.use(() => process.connection.request(method, named, { signal }));
    return renamed(result, (id) => process.sessions.get(id)?.follower.sink?.session.id);
  } catch (error) {
    throw toClient(error);
  }
}

/** A client tells the agent something. */
export async function tellAgent(parts: RelayParts, context: Omit<ExtensionContext, 'signal'>): Promise<void> {
  const { process, params } = await forAgent(parts, context);
  process.connection.notify(context.method, params);
}

/** The agent asks the client: the one that prompts the session that is named, or the one that was heard last. */
export async function relayToClient(
  { sessions, latestClient }: ClientsOfProcess,
  { method, params, signal }: { readonly method: string; readonly params: unknown; readonly signal: AbortSignal },
): Promise<unknown> {
  const { client, params: named } = forClient(sessions, params, latestClient);
  if (!client) throw RpcError.methodNotFound(method);
  try {
    return renamed(await client.request(method, named, { signal }), (id) => foreignIdOf(sessions, id));
  } catch (error) {
    throw toAgent(error);
  }
}

/** The agent tells the clients something: all that have the session open know it from the one that prompts. */
export function tellClient(
  { sessions, latestClient }: ClientsOfProcess,
  { method, params }: { readonly method: string; readonly params: unknown },
): void {
  const { client, params: named } = forClient(sessions, params, latestClient);
  void client?.notify(method, named);
}

async function forAgent(
  { processes, hosted }: RelayParts,
  { params, client, principal }: Pick<ExtensionContext, 'params' | 'client' | 'principal'>,
): Promise<{ readonly process: Awaited<ReturnType<AgentProcesses<HostedSession>['any']>>; readonly params: unknown }> {
  const session = hosted(principal, sessionIdIn(params) ?? '');
  if (!session) return { process: await processes.any({ principal, offers: client.offers }), params };
  const { process, foreign } = await session.open();
  return { process, params: { ...(params as object), sessionId: foreign.session.id } };
}

function forClient(
  sessions: ForeignSessions<HostedSession>,
  params: unknown,
  latestClient: () => Client | undefined,
): { readonly client: Client | undefined; readonly params: unknown } {
  const session = sessions.get(sessionIdIn(params) ?? '')?.follower.sink?.session;
  if (!session) return { client: latestClient(), params };
  return { client: session.client, params: { ...(params as object), sessionId: session.id } };
}

function foreignIdOf(sessions: ForeignSessions<HostedSession>, sessionId: string): string | undefined {
  return [...sessions].find(([, { follower }]) => follower.sink?.session.id === sessionId)?.[0];
}

/** A value whose `sessionId` has the name that the other side knows. */
function renamed(value: unknown, nameOf: (sessionId: string) => string | undefined): unknown {
  const sessionId = sessionIdIn(value);
  const name = sessionId === undefined ? undefined : nameOf(sessionId);
  return name === undefined ? value : { ...(value as object), sessionId: name };
}

function sessionIdIn(params: unknown): string | undefined {
  const { sessionId } = (params ?? {}) as { readonly sessionId?: unknown };
  return typeof sessionId === 'string' ? sessionId : undefined;
}
