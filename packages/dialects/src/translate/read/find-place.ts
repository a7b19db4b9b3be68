import type { Fields } from '../../fields.ts';
import type { KnownSession } from '../../options.ts';
import { type DialectState, note, sessionOf } from '../state.ts';

/**
 * S0:260 and S4:254 load a session by its id alone. The folder of a session that was made on another connection is looked up and
 * remembered here; undefined where nothing has to be looked up.
 */
export function findPlace(params: Fields, state: DialectState): Promise<void> | undefined {
  const { sessionId, cwd } = params;
  const session = sessionOf(state, params);
  if (cwd !== undefined || session.cwd !== undefined || typeof sessionId !== 'string') return undefined;
  const { findSession } = state.options;
  if (!findSession) return undefined;
  const learn = (found: KnownSession | undefined): void => {
    if (!found) return;
    session.cwd = found.cwd;
    session.mcpServers = found.mcpServers ?? [];
  };
  const found = findSession(sessionId);
  if (!(found instanceof Promise)) return void learn(found);
  return found.then(learn, (error: unknown) => {
    note(state, 'D26', `The folder of a session could not be looked up: ${String(error)}`);
  });
}
