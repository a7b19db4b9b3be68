import { RpcError } from '@parley/jsonrpc';
import type { SessionLog, SessionRecord } from '@parley/store';
import type { ClientPeer } from '../contract/client-peer.ts';
import type { AgentDefinition, SessionContext } from '../contract/definition.ts';
import type { Meta, SessionEnd } from '../contract/session.ts';
import { isSameSetup, type Setup, setupOf } from '../contract/setup.ts';
import { handlerError, sessionNotFound } from '../refusals.ts';
import { BoundClient } from '../turn/bound-client.ts';
import { LiveSession } from './live-session.ts';

export interface OpenOptions extends Setup {
  readonly reason: SessionContext['reason'];
  readonly meta: Meta | undefined;
  /** The client that opens the session. */
  readonly peer: ClientPeer;
  readonly signal: AbortSignal;
  /** What becomes of the client's turns when it is gone. */
  readonly whenClientLeaves: 'cancel' | 'keep';
}

interface OpenSession {
  readonly session: LiveSession;
  /** Undoes what the agent's session handler did. */
  cleanup: ((end: SessionEnd) => void | Promise<void>) | undefined;
}

/**
 * The sessions that are open, over all connections of an agent. Opening and closing of one session never overlap, so
 * there is one of it at most, whoever asks.
 */
export class SessionRegistry {
  readonly #definition: AgentDefinition;
  readonly #isShared: () => boolean;
  readonly #open = new Map<string, OpenSession>();
  /** The last opening or closing of each session that is not done yet. */
  readonly #changing = new Map<string, Promise<unknown>>();

  constructor({ definition, isShared }: { readonly definition: AgentDefinition; readonly isShared: () => boolean }) {
    this.#definition = definition;
    this.#isShared = isShared;
  }

  find(principal: string, sessionId: string): LiveSession | undefined {
    return this.#open.get(keyOf(principal, sessionId))?.session;
  }

  /** Opens a session that was just made; when that fails, it is unmade. */
  async openNew(log: SessionLog, record: SessionRecord, options: OpenOptions): Promise<LiveSession> {
    const session = this.#createSession(log, record, options);
    session.viewers.addOpening(options.peer);
    session.turns.runsAll = options.whenClientLeaves === 'keep';
    try {
      const cleanup = await this.#prepare(session, options);
      this.#add(session, cleanup);
    } catch (error) {
      await log.remove(record.id);
      throw error;
    }
    return session;
  }

  /** Opens a stored session, or joins it where it is open already; `join` makes the client one of its viewers. */
  async reopen(
    log: SessionLog,
    sessionId: string,
    options: OpenOptions & { readonly join: (session: LiveSession) => Promise<void> },
  ): Promise<LiveSession> {
    const { peer, signal, join } = options;
    let isNew = false;
    const session = await this.#change(log.principal, sessionId, async () => {
      const opened = this.#open.get(keyOf(log.principal, sessionId));
      const found = opened ? await this.#setUpAgain(opened, options) : await this.#openStored(log, sessionId, options);
      isNew = !opened || !found.viewers.has(peer);
      found.turns.runsAll ||= options.whenClientLeaves === 'keep';
      if (found.viewers.has(peer)) return found;
      // What other processes did before is nothing that the client sees happen. From now on it has the session open.
      await found.shared?.catchUp();
      found.viewers.addOpening(peer);
      return found;
    });
    try {
      // A client that reads slowly takes its time for this, and others need not wait until they can come or go.
      await join(session);
    } catch (error) {
      if (isNew) session.viewers.remove(peer);
      await this.#change(session.principal, session.id, () => this.#closeIfUnused(session));
      throw signal.aborted ? RpcError.requestCancelled() : error;
    }
    return session;
  }

  /**
   * Stops what this client asked for, and what no client is left for. Then the client has the session no longer open; the last
   * one to leave closes it. A turn that another client or process asked for goes on, and the session is closed after it.
   */
  async close(session: LiveSession, peer: ClientPeer): Promise<void> {
    const mayStop = (): boolean => {
      const asker = session.turns.running?.asker;
      return asker !== undefined && (asker === peer || !session.viewers.has(asker));
    };
    if (mayStop()) session.turns.cancel();
    await this.#change(session.principal, session.id, async () => {
      if (mayStop()) await session.turns.stop();
      session.viewers.remove(peer);
      if (session.isRunning) this.#closeLater(session);
      else await this.#closeIfUnused(session, 'closed');
    });
  }

  /**
   * As `close`, for a client that is gone and whose own prompts are withdrawn by now. With `keep` they go on; the session is then
   * closed when nothing of it is left to do here.
   */
  async leave(session: LiveSession, peer: ClientPeer, whenClientLeaves: 'cancel' | 'keep' = 'cancel'): Promise<void> {
    session.viewers.remove(peer);
    if (whenClientLeaves === 'keep' && !session.turns.isIdle) this.#closeLater(session);
    else await this.#change(session.principal, session.id, () => this.#closeIfUnused(session));
  }

  /** Closes a session for everyone who has it open. */
  async shut(principal: string, sessionId: string): Promise<void> {
    await this.#change(principal, sessionId, async () => {
      const session = this.find(principal, sessionId);
      if (!session) return;
      await session.turns.stop();
      session.viewers.removeAll();
      await this.#closeIfUnused(session, 'deleted');
    });
  }

  /** Ends what runs in sessions that nobody has open, as interrupted: nobody has cancelled it. */
  async endUnwatched(): Promise<void> {
    const unwatched = [...this.#open.values()].filter(({ session }) => session.viewers.size === 0);
    const end = ({ session }: OpenSession): Promise<void> =>
      this.#change(session.principal, session.id, async () => {
        session.turns.close();
        await session.turns.interrupt('The agent was closed before the turn ended.');
        await this.#closeIfUnused(session);
      });
    await Promise.all(unwatched.map(end));
  }

  /** Ends the turns that run as interrupted; resolves when nothing is left of them. */
  async interrupt(message: string): Promise<void> {
    await Promise.all([...this.#open.values()].map(({ session }) => session.turns.interrupt(message)));
  }

  #add(session: LiveSession, cleanup: OpenSession['cleanup']): void {
    this.#open.set(keyOf(session.principal, session.id), { session, cleanup });
    session.tell({ kind: 'session_opened' });
  }

  async #openStored(log: SessionLog, sessionId: string, options: OpenOptions): Promise<LiveSession> {
    const record = await log.get(sessionId);
    if (!record) throw sessionNotFound(sessionId);
    const session = this.#createSession(log, record, options);
    session.viewers.addOpening(options.peer);
    const cleanup = await this.#prepare(session, options);
    this.#add(session, cleanup);
    return session;
  }

  async #setUpAgain(opened: OpenSession, options: OpenOptions): Promise<LiveSession> {
    const { session } = opened;
    if (isSameSetup(session.setup, options)) return session;
    if (session.isRunning) {
      throw RpcError.invalidRequest(
        'A turn is running in this session; open it with other settings when it has ended.',
      );
    }
    await opened.cleanup?.('reopened');
    opened.cleanup = undefined;
    session.setup = setupOf(options);
    opened.cleanup = await this.#prepare(session, options);
    return session;
  }

  #createSession(log: SessionLog, record: SessionRecord, options: Setup): LiveSession {
    const isShared = this.#isShared();
    return new LiveSession({ definition: this.#definition, log, isShared, record, setup: setupOf(options) });
  }

  async #prepare(session: LiveSession, options: OpenOptions): Promise<OpenSession['cleanup']> {
    const { onSession } = this.#definition;
    if (!onSession) return undefined;
    const { reason, meta, signal, peer } = options;
    const client = new BoundClient({ peer, sessionId: session.id, cwd: session.cwd, signal });
    try {
      const cleanup = (await onSession({ session, reason, client, meta, signal })) ?? undefined;
      // What it said comes before what the client says once it knows of the session.
      await session.whenShown();
      return cleanup;
    } catch (error) {
      if (signal.aborted) throw RpcError.requestCancelled();
      session.report({ kind: 'handler_failed', message: 'The session handler failed.', error });
      throw handlerError(error, 'to open the session');
    } finally {
      void client.releaseTerminals();
    }
  }

  /** Closes a session that nobody has open once nothing of it is left to do here. */
  #closeLater(session: LiveSession): void {
    void session.turns.whenSettled().then(async () => {
      if (session.viewers.size === 0 && !session.turns.isIdle) return this.#closeLater(session);
      await this.#change(session.principal, session.id, () => this.#closeIfUnused(session));
    });
  }

  async #closeIfUnused(session: LiveSession, end: SessionEnd = 'left'): Promise<void> {
    const key = keyOf(session.principal, session.id);
    const opened = this.#open.get(key);
    if (session.viewers.size > 0 || opened?.session !== session) return;
    session.isClosed = true;
    session.turns.close();
    // A turn of a client that is gone is cancelled by now; whatever still runs is left to end by itself.
    await session.turns.ended;
    this.#open.delete(key);
    session.tell({ kind: 'session_closed', end });
    try {
      await session.close();
      await opened.cleanup?.(end);
    } catch (error) {
      session.report({ kind: 'handler_failed', message: 'A session was not closed in good order.', error });
    }
  }

  /** Runs one change of a session at a time, in the order asked for. */
  async #change<T>(principal: string, sessionId: string, work: () => Promise<T>): Promise<T> {
    const key = keyOf(principal, sessionId);
    const before = this.#changing.get(key);
    const change = before ? before.then(work, work) : work();
    this.#changing.set(key, change);
    try {
      return await change;
    } finally {
      if (this.#changing.get(key) === change) this.#changing.delete(key);
    }
  }
}

function keyOf(principal: string, sessionId: string): string {
  return JSON.stringify([principal, sessionId]);
}
