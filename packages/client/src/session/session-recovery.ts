import { kindOfError } from '@parley/protocol';
import type { AgentOffers } from '@parley/session';
import type { ReportDiagnostic } from '../diagnostics.ts';
import type { AgentCalls } from '../link/agent-calls.ts';
import type { LiveSession } from './live-session.ts';
import type { OnSessionLost } from './session.ts';
import type { SessionOpener } from './session-opener.ts';

/** The parts of a connection that open lost sessions again. */
export interface SessionRecoveryParts {
  readonly calls: AgentCalls;
  /** The open sessions by id. */
  readonly sessions: ReadonlyMap<string, LiveSession>;
  readonly opener: SessionOpener;
  readonly report: ReportDiagnostic;
  readonly onSessionLost?: OnSessionLost | undefined;
}

/** Opens sessions again that were lost: all of them after a lost connection, one when the agent has forgotten it. */
export class SessionRecovery {
  readonly #parts: SessionRecoveryParts;
  readonly #onSessionLost: OnSessionLost;
  readonly #recovering = new Map<LiveSession, Promise<void>>();
  /** How often the connection was lost. */
  #losses = 0;

  constructor(parts: SessionRecoveryParts) {
    this.#parts = parts;
    this.#onSessionLost = parts.onSessionLost ?? 'load';
  }

  /** What `restoreAll` is at will not succeed; it is called again when there is a connection. */
  loseAll(): void {
    this.#losses += 1;
  }

  /**
   * Sessions go on where the agent can open them again; a prompt that was running is never sent a second time. False when the
   * connection was lost again meanwhile.
   */
  async restoreAll(): Promise<boolean> {
    const losses = this.#losses;
    const isLostAgain = (): boolean => losses !== this.#losses;
    for (const session of [...this.#parts.sessions.values()]) {
      try {
        if (!(await this.#goOn(session, isLostAgain))) await this.#reopen(session);
        if (isLostAgain()) return false;
        session.restore();
      } catch (error) {
        if (isLostAgain()) return false;
        session.giveUp();
        const message = `Session ${session.id} could not be opened again after the connection was lost.`;
        this.#parts.report({ kind: 'session_lost', message, sessionId: session.id, error });
      }
    }
    return !isLostAgain();
  }

  /**
   * Makes a call in a session. When the agent answers that it does not have the session, the session is opened again and
   * the call is made once more: the agent has done nothing for it. Where `mayRepeat` says that it has, the call fails.
   */
  async around<Result>(
    sessionId: string,
    call: (sessionId: string) => Promise<Result>,
    mayRepeat: (session: LiveSession) => boolean = () => true,
  ): Promise<Result> {
    const session = this.#parts.sessions.get(sessionId);
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
  #recover(session: LiveSession, error: unknown): Promise<void> {
    const running = this.#recovering.get(session);
    if (running) return running;
    const recovery = this.#openAgain(session, error).finally(() => this.#recovering.delete(session));
    this.#recovering.set(session, recovery);
    return recovery;
  }

  async #openAgain(session: LiveSession, error: unknown): Promise<void> {
    const lost = session.id;
    try {
      await this.#reopen(session);
    } catch (failure) {
      const message = `The agent no longer has session ${lost}, and it could not be opened again.`;
      this.#parts.report({ kind: 'session_lost', message, sessionId: lost, error: failure });
      throw error;
    }
    const message =
      session.id === lost
        ? `The agent no longer had session ${lost}; it was opened again.`
        : `The agent no longer has session ${lost}; it goes on as session ${session.id}, which knows nothing of what was said.`;
    this.#parts.report({ kind: 'session_lost', message, sessionId: session.id, error });
  }

  /** Goes on from the last event that we have, where the agent can; else a turn that ran then is lost. */
  async #goOn(session: LiveSession, isLostAgain: () => boolean): Promise<boolean> {
    const { opener, calls } = this.#parts;
    const { cursors, loadSession, resumeSession } = calls.facts.offers;
    if (cursors && session.cursor !== undefined && (loadSession || resumeSession)) {
      try {
        await opener.goOn(session, resumeSession ? 'session/resume' : 'session/load');
        return true;
      } catch (error) {
        if (isLostAgain()) throw error;
      }
    }
    session.giveUp();
    return false;
  }

  async #reopen(session: LiveSession): Promise<void> {
    const { opener, calls } = this.#parts;
    const method = chooseOpening(calls.facts.offers, session);
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
  { loadSession, resumeSession }: AgentOffers,
  { isCleared }: LiveSession,
): 'session/load' | 'session/resume' | undefined {
  if (loadSession && !(isCleared && resumeSession)) return 'session/load';
  return resumeSession ? 'session/resume' : undefined;
}

/** Whether an agent's answer says that it does not have the session, now or any more. */
export function isSessionLost(error: unknown): boolean {
  const kind = kindOfError(error);
  if (kind === 'session_not_found' || kind === 'session_expired') return true;
  // -32002 is a missing resource, unless the agent says in words that the session is what it misses.
  return kind === 'resource_not_found' && error instanceof Error && /^(?:unknown )?session\b/i.test(error.message);
}
