import type { AgentConnection, ClientSession } from '@parley/client';
import { META } from '@parley/session';
import type { ChatTarget } from './chat-options.ts';

export interface ForkRequest {
  readonly session: ClientSession;
  readonly target: ChatTarget;
  /** How many of the last turns are left out. */
  readonly dropTurns: number;
  /** Reaches the person. */
  readonly say: (text: string) => void;
}

/** Whether the agent can fork a session without its last turns. */
export function canForkBefore(connection: AgentConnection | undefined): boolean {
  if (!connection?.offers.forkSession || !connection.offers.loadSession) return false;
  // Version 1 and version 2 have it in different places.
  const { sessionCapabilities, session } = connection.capabilities as Readonly<
    Record<string, { readonly fork?: { readonly _meta?: Readonly<Record<string, unknown>> } } | undefined>
  >;
  return (sessionCapabilities ?? session)?.fork?._meta?.[META.dropTurns] === true;
}

/** A session that knows what this one knew before its last turns, with its conversation. */
export async function forkBefore(
  connection: AgentConnection,
  { session, target, dropTurns, say }: ForkRequest,
): Promise<ClientSession> {
  if (!canForkBefore(connection)) {
    throw new Error(`${target.agent.title} cannot go back in a conversation. /new begins another.`);
  }
  const fork = await connection.forkSession(session.id, {
    ...target.session,
    meta: { ...target.session.meta, [META.dropTurns]: dropTurns },
  });
  // The answer to a fork tells nothing of what was said; opened again, it does.
  await fork.close();
  const stored = { id: fork.id, agent: target.agent.name, agentSessionId: fork.id };
  return await target.openSession(connection, { stored, keepsSettings: true, say });
}
