import type { AgentConnection, ClientSession, SessionOptions } from '@parley/client';
import { shellLine } from '@parley/host/terminal';
import { canLoadSession, canResumeSession, type ErrorKind, kindOfError } from '@parley/protocol';
import { CliError } from '../errors.ts';
import type { SavedSession } from './saved-session.ts';

/** Opens a saved session in an agent: without the conversation where the agent can do that, else with it. */
export async function openSaved(
  connection: AgentConnection,
  saved: SavedSession,
  options: SessionOptions,
): Promise<ClientSession> {
  const { agentSessionId } = saved;
  if (agentSessionId === undefined) return connection.newSession(options);
  const { capabilities } = connection;
  try {
    if (canResumeSession(capabilities)) return await connection.resumeSession(agentSessionId, options);
    if (canLoadSession(capabilities)) return await connection.loadSession(agentSessionId, options);
  } catch (error) {
    throw explain(error, saved);
  }
  throw new CliError(
    'no_session',
    `${saved.agent} can neither resume nor load a session; what it knew of this one is gone.`,
    {
      next: ['parley prompt --new "..."', shellLine`parley sessions history ${saved.id}`],
    },
  );
}

/** The agent has lost it; asking for it again does not help, and a new one would not know what was said. */
const GONE: ReadonlySet<ErrorKind> = new Set(['session_not_found', 'session_expired', 'resource_not_found']);

function explain(error: unknown, saved: SavedSession): unknown {
  const kind = kindOfError(error);
  if (!GONE.has(kind)) return error;
  return new CliError('no_session', `${saved.agent} no longer has the session ${saved.agentSessionId}.`, {
    cause: error,
    next: [
      'parley prompt --new "..."',
      shellLine`parley sessions history ${saved.id}`,
      shellLine`parley sessions delete ${saved.id}`,
    ],
  });
}
