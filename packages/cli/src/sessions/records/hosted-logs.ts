import { type NewEvent, type SessionLog, StoreError } from '@parley/store';
import { hostedState, type SavedSession } from './saved-session.ts';

type LoggedSession = Pick<
  SavedSession,
  'id' | 'agentSessionId' | 'cwd' | 'title' | 'createdAtMs' | 'updatedAtMs' | 'isClosed'
>;

/**
 * Makes the log of a session of another agent, with a conversation that was kept elsewhere; returns its id. That is the agent's own id
 * where it is free, so that answers which were remembered for the session hold. Several processes at once make one log.
 */
export async function makeHostedLog(
  log: SessionLog,
  session: LoggedSession,
  { events, trimmedTo }: { readonly events: readonly NewEvent[]; readonly trimmedTo: number },
): Promise<string> {
  const { id: madeFor, agentSessionId, cwd, title, createdAtMs, updatedAtMs, isClosed: isArchived } = session;
  const metadata = { ...hostedState(agentSessionId), madeFor };
  const copied = { createdAtMs, updatedAtMs, isArchived, parentId: null, trimmedTo };
  for (const id of [...(agentSessionId === undefined ? [] : [agentSessionId]), `sess_${madeFor}`]) {
    try {
      await log.create({ id, cwd, ...(title !== null && { title }), metadata, events, copied });
      return id;
    } catch (error) {
      if (!(error instanceof StoreError) || error.code !== 'session_exists') throw error;
    }
    if ((await log.get(id))?.metadata.madeFor === madeFor) return id;
  }
  throw new StoreError('session_exists', `There is a log of session ${madeFor} already.`);
}
