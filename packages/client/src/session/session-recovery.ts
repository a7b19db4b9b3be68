import { type AgentCapabilities, canLoadSession, canResumeSession, kindOfError } from '@parley/protocol';
import type { ConnectionCore } from '../connect/connection-core.ts';
import type { ClientSession } from './live-session.ts';

/**
 * What becomes of a session that the agent says it no longer has. `load`: it is opened again, with its conversation where
 * the agent can. `new`: where that fails, the session goes on as a new one, which knows nothing of what was said; its
 * `id` is another one then. `fail`: the call fails.
 */
export type OnSessionLost = 'load' | 'new' | 'fail';

/** Opens sessions again that were lost: all of them after a lost connection, one when the agent has forgotten it. */
export class SessionRecovery {
  readonly #core: ConnectionCore;
  readonly #onSessionLost: OnSessionLost;
  readonly #recovering = new Map<ClientSession, Promise<void>>();

  constructor(core: ConnectionCore, onSessionLost: OnSessionLost = 'load') {
    this.#core = core;
    this.#onSessionLost = onSessionLost;
  }

  /** Sessions go on where the agent can open them again; a prompt that was running is never sent a second time. */
  async restoreAll(): Promise<void> {
    for (const session of [...this.#core.sessions.values()]) {
      try {
        await this.#reopen(session);
        session.restore();
      } catch (error) {
        const message = `Session ${session.id} could not be opened again after the connection was lost.`;
        this.#core.report({ kind: 'session_lost', message, sessionId: session.id, error });
      }
    }
  }

  /**
   * Makes a call in a session. When the agent answers that it does not have the session, the session is opened again and
   * the call is made once more: the agent has done nothing for it. Where `mayRepeat` says that it has, the call fails.
   */
  async around<Result>(
    sessionId: string,
    call: (sessionId: string) => Promise<Result>,
    mayRepeat: (session: ClientSession) => boolean = () => true,
  ): Promise<Result> {
    const session = this.#core.sessions.get(sessionId);
    try {
      return await call(sessionId);
    } catch (error) {
      if (!session || this.#onSessionLost === 'fail' || !isSessionLost(error)) throw error;
      if (!mayRepeat(session)) throw error;
      await this.#recover(session, error);
      return await call(session.id);
    }
  }

  /** Several calls may find the session lost at the same time; it is opened once. */
  #recover(session: ClientSession, error: unknown): Promise<void> {
    const running = this.#recovering.get(session);
    if (running) return running;
    const recovery = this.#openAgain(session, error).finally(() => this.#recovering.delete(session));
    this.#recovering.set(session, recovery);
    return recovery;
  }

  async #openAgain(session: ClientSession, error: unknown): Promise<void> {
    const lost = session.id;
    try {
      await this.#reopen(session);
    } catch (failure) {
      const message = `The agent no longer has session ${lost}, and it could not be opened again.`;
      this.#core.report({ kind: 'session_lost', message, sessionId: lost, error: failure });
      throw error;
    }
    const message =
      session.id === lost
        ? `The agent no longer had session ${lost}; it was opened again.`
        : `The agent no longer has session ${lost}; it goes on as session ${session.id}, which knows nothing of what was said.`;
    this.#core.report({ kind: 'session_lost', message, sessionId: session.id, error });
  }

  async #reopen(session: ClientSession): Promise<void> {
    const { opener, facts } = this.#core;
    const method = chooseOpening(facts.capabilities, session);
    try {
      if (!method) throw new Error('the agent can neither load nor resume a session');
      await opener.reopen(session, method);
    } catch (error) {
      const isGone = isSessionLost(error) || kindOfError(error) === 'resource_not_found';
      if (this.#onSessionLost !== 'new' || (method && !isGone)) throw error;
      await opener.recreate(session);
    }
  }
}

/**
 * Loading brings what the agent has said and we have not heard; resuming brings nothing. A transcript that was cleared
 * would be filled again.
 */
function chooseOpening(
  capabilities: AgentCapabilities,
  { isCleared }: ClientSession,
): 'session/load' | 'session/resume' | undefined {
  const canResume = canResumeSession(capabilities);
  if (canLoadSession(capabilities) && !(isCleared && canResume)) return 'session/load';
  return canResume ? 'session/resume' : undefined;
}

/** Whether an agent's answer says that it does not have the session, now or any more. */
export function isSessionLost(error: unknown): boolean {
  const kind = kindOfError(error);
  return kind === 'session_not_found' || kind === 'session_expired';
}
