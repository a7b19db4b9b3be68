import { kindOfError } from '@parley/protocol';
import type { Clock } from '../clock.ts';
import type { ClientLimits } from '../limits.ts';
import type { AgentCalls } from '../link/agent-calls.ts';
import type { SilenceWatchdog } from '../link/silence-watchdog.ts';
import type { UnstableCalls } from '../link/unstable-calls.ts';
import type { AgentFacts, AgentPeer, CallOptions, Meta, Prompt } from '../peer/agent-peer.ts';
import type { LiveSession } from './live-session.ts';
import type { ClientSession } from './session.ts';
import type { CallInSession, SessionConnection } from './session-connection.ts';
import { SessionOpener, type SessionOpenerParts, type SessionServices } from './session-opener.ts';
import { isSessionLost, SessionRecovery, type SessionRecoveryParts } from './session-recovery.ts';
import type { EventSink, SessionRouter } from './session-router.ts';

export interface SessionRegistryParts
  extends Omit<SessionOpenerParts, 'connection'>,
    Omit<SessionRecoveryParts, 'opener' | 'sessions'>,
    Pick<SessionConnection, 'clock' | 'limits' | 'promptRules' | 'watchdog' | 'unstable' | 'subagents'> {
  /** Whether the agent is a server, which goes on when the connection to it is lost. */
  readonly isDialled: boolean;
  /** Whether the wire that is open carries more than answers. */
  readonly carriesUpdates: () => boolean;
}

/** The open sessions of a connection: opens and closes them, and makes their calls. */
export class SessionRegistry implements SessionConnection {
  readonly clock: Clock;
  readonly limits: ClientLimits;
  readonly promptRules: SessionConnection['promptRules'];
  readonly watchdog: SilenceWatchdog | undefined;
  readonly unstable: UnstableCalls;
  readonly subagents: SessionConnection['subagents'];
  readonly #isDialled: boolean;
  readonly #carriesUpdates: () => boolean;
  readonly #calls: AgentCalls;
  readonly #sessions: Map<string, LiveSession>;
  readonly #router: SessionRouter;
  readonly #services: SessionServices;
  readonly opener: SessionOpener;
  readonly #recovery: SessionRecovery;

  constructor(parts: SessionRegistryParts) {
    this.clock = parts.clock;
    this.limits = parts.limits;
    this.promptRules = parts.promptRules;
    this.watchdog = parts.watchdog;
    this.unstable = parts.unstable;
    this.subagents = parts.subagents;
    this.#isDialled = parts.isDialled;
    this.#carriesUpdates = parts.carriesUpdates;
    this.#calls = parts.calls;
    this.#sessions = parts.sessions;
    this.#router = parts.router;
    this.#services = parts.services;
    this.opener = new SessionOpener({ ...parts, connection: this });
    this.#recovery = new SessionRecovery({ ...parts, opener: this.opener });
  }

  get facts(): AgentFacts {
    return this.#calls.facts;
  }

  get sendsPromptIds(): boolean {
    return this.#isDialled && this.facts.offers.cursors;
  }

  get carriesUpdates(): boolean {
    return this.#carriesUpdates();
  }

  callInSession<Result>(sessionId: string, { method, meta, work }: CallInSession<Result>): Promise<Result> {
    return this.#recovery.around(sessionId, (id) =>
      this.#calls.call(method, (peer, options) => work(peer, id, options), meta),
    );
  }

  sendPrompt(sessionId: string, prompt: Prompt, options: CallOptions): Promise<void> {
    return this.#recovery.around(
      sessionId,
      (id) => this.#calls.once(({ peer }) => peer.prompt(id, prompt, options)),
      (session) => !session.hasProgress,
    );
  }

  promptBegins(sessionId: string, prompt: Prompt): void {
    this.#calls.link.peer.begins?.(sessionId, prompt);
  }

  cancelTurn(sessionId: string, meta: Meta | undefined): void {
    // claude-agent-acp keeps background sub-agents running when it cancels their session.
    const subagents = this.subagents.running(sessionId).filter(({ canCancel }) => canCancel);
    // By the way that prompts take, so that a cancel right behind a prompt does not overtake it.
    const cancel = async (peer: AgentPeer): Promise<void> => {
      peer.cancel(sessionId, meta);
      for (const subagent of subagents) peer.cancel(subagent.sessionId);
    };
    this.#calls.once(({ peer }) => cancel(peer)).catch(() => {});
    this.#services.questions.cancel(sessionId);
  }

  async closeSession(session: ClientSession & EventSink, meta: Meta | undefined): Promise<void> {
    const { id } = session;
    try {
      await this.#services.endSession(id);
      if (session.state !== 'lost' && this.facts.offers.closeSession) {
        await this.#calls.call('session/close', (peer, options) => peer.closeSession(id, options), meta);
      }
    } catch (error) {
      // A session that the agent no longer has is as closed as it can be.
      if (!isSessionLost(error) && kindOfError(error) !== 'resource_not_found') throw error;
    } finally {
      this.#router.remove(id, session);
      if (this.#sessions.get(id) === session) this.#sessions.delete(id);
    }
  }

  /** The connection is closed from this side: asks the agent to end what runs. */
  cancelAll(): void {
    for (const session of this.#sessions.values()) if (session.turn) this.cancelTurn(session.id, undefined);
  }

  /** The agent is gone. With `mayReturn` it is being reached again, and may still have what we asked for. */
  loseAll(error: unknown, mayReturn: boolean): void {
    this.#recovery.loseAll();
    for (const session of this.#sessions.values()) session.lose(error, mayReturn);
  }

  /** There is a new link to the agent: sessions go on where it can open them again. False when it was lost meanwhile. */
  restoreAll(): Promise<boolean> {
    return this.#recovery.restoreAll();
  }
}
