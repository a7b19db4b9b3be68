import { META, type StateEvent } from '@parley/session';
import type { ClientPeer } from '../contract/client-peer.ts';
import type { LiveSession } from '../session/live-session.ts';

/**
 * Whether a session that a client has opened again is at work, for one that asks for cursors: it may have been cut off from a
 * turn of its own. All that it was told of the session comes before this.
 */
export async function stateMeta(
  session: LiveSession,
  peer: ClientPeer,
): Promise<{ readonly _meta?: Record<string, unknown> }> {
  if (!peer.offers.cursors) return {};
  const turnId = await findRunningTurn(session);
  return { _meta: { [META.state]: turnId === undefined ? { state: 'idle' } : { state: 'running', turnId } } };
}

/** What a session is doing now, in whichever process. */
export async function currentState(session: LiveSession): Promise<StateEvent> {
  const turnId = await findRunningTurn(session);
  if (turnId === undefined) return { type: 'state', state: 'idle' };
  const { questions, shared } = session;
  const isAsking =
    questions.hasOpen || (shared && !shared.isOwned && (await shared.readProgress()).questions.length > 0);
  return { type: 'state', state: isAsking ? 'requires_action' : 'running', turnId };
}

/** The id of the turn that runs, in whichever process. */
async function findRunningTurn({ turns, shared }: LiveSession): Promise<string | undefined> {
  if (turns.running || !shared) return turns.running?.id;
  return (await shared.catchUp()) ? (await shared.readProgress()).turn?.turnId : undefined;
}
