import type { NamedSession } from './traffic/traffic-wire.ts';

/** Whose it is, without the agent's name; undefined where it is another's, or everybody's. */
export function principalIn(agent: string, owner: string | undefined): string | undefined {
  return owner?.startsWith(`${agent}/`) ? owner.slice(agent.length + 1) : undefined;
}

/** The same session, under the name of whose it is. */
export function ownedSession(agent: string, session: NamedSession | undefined): NamedSession | undefined {
  const principal = principalIn(agent, session?.principal);
  return session && principal !== undefined ? { id: session.id, principal } : undefined;
}
