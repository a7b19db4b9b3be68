import { RPC_ERROR_CODES, RpcError } from '@parley/jsonrpc';
import type { CancellablePart } from '@parley/session';
import type { SessionLog, SessionPage } from '@parley/store';
import type { ClientPeer } from '../contract/client-peer.ts';
import type { OptionValue } from '../contract/settings.ts';
import { sessionNotFound, storeError } from '../refusals.ts';
import { cancelPart } from '../session/cancel-part.ts';
import { changeSession, changeSetting } from '../session/change-session.ts';
import type { LiveSession } from '../session/live-session.ts';
import type { PromptOptions } from '../session/prompt-options.ts';
import type { OpenOptions } from '../session/registry.ts';
import { createSettings } from '../session/settings.ts';
import type { Prompt } from '../turn/prompt.ts';
import type { TurnOutcome } from '../turn/run-turn.ts';
import { ClientPrompts } from './client-prompts.ts';
import { lastEventKept } from './drop-turns.ts';
import { OpenSessions } from './open-sessions.ts';
import type { AgentRuntime } from './runtime.ts';
import { tellDeleted } from './tell-deleted.ts';
import { WorkUnderWay } from './work-under-way.ts';

export type NewSessionOptions = Omit<OpenOptions, 'peer' | 'reason' | 'whenClientLeaves'>;
export type ReopenOptions = NewSessionOptions & {
  readonly sessionId: string;
  readonly reason: 'load' | 'resume';
  /** The last event that the client has; it is told only of those after it. */
  readonly after: number | undefined;
};

export interface ListOptions {
  readonly cwd: string | undefined;
  readonly cursor: string | undefined;
  readonly archived: 'exclude' | 'only' | 'include' | undefined;
}

export interface ServedClientOptions {
  readonly runtime: AgentRuntime;
  readonly peer: ClientPeer;
  readonly principal: string;
  /** What becomes of its turns when it is gone. */
  readonly whenClientLeaves: 'cancel' | 'keep';
}

/**
 * One client being served: what it may see and what it has open. It speaks of sessions and turns, and knows nothing of
 * the wire's version. Sessions of other principals do not exist here: they are as unknown as those that never were.
 */
export class ServedClient {
  readonly principal: string;
  readonly peer: ClientPeer;
  readonly #runtime: AgentRuntime;
  readonly #whenClientLeaves: 'cancel' | 'keep';
  readonly #sessions: OpenSessions;
  /** Turns and openings that are under way. */
  readonly #work = new WorkUnderWay();
  readonly #prompts: ClientPrompts;
  #hasEnded = false;

  constructor({ runtime, peer, principal, whenClientLeaves }: ServedClientOptions) {
    this.#runtime = runtime;
    this.peer = peer;
    this.principal = principal;
    this.#whenClientLeaves = whenClientLeaves;
    this.#sessions = new OpenSessions(peer, runtime.definition.limits.maxOpenSessions);
    this.#prompts = new ClientPrompts({ peer, name: () => this.name, whenClientLeaves });
  }

  /** What others see of who did something. */
  get name(): string {
    return this.peer.info?.title ?? this.peer.info?.name ?? this.principal;
  }

  /** A session that this client has open. */
  find(sessionId: string): LiveSession | undefined {
    return this.#sessions.find(sessionId);
  }

  require(sessionId: string): LiveSession {
    const session = this.find(sessionId);
    if (!session) throw sessionNotFound(sessionId);
    return session;
  }

  newSession(options: NewSessionOptions): Promise<LiveSession> {
    return this.#open(undefined, () => this.#newSession(options));
  }

  forkSession(sessionId: string, options: NewSessionOptions): Promise<LiveSession> {
    return this.#open(undefined, () => this.#forkSession(sessionId, options));
  }

  /**
   * Opens a stored session. With `load` the client hears all that happened before this resolves, with `resume` nothing; with a
   * cursor it hears in either case what came after it.
   */
  reopenSession(options: ReopenOptions): Promise<LiveSession> {
    return this.#open(options.sessionId, () => this.#reopenSession(options));
  }

  /** Begins before it first waits, so that what follows on the wire finds the turn running. */
  prompt(
    sessionId: string,
    prompt: Prompt,
    options: Pick<PromptOptions, 'signal' | 'whenBusy' | 'onInserted'>,
  ): Promise<TurnOutcome> {
    return this.#work.add(this.#prompts.run(this.require(sessionId), prompt, options));
  }

  /** Asks the turn to end that this client waits for, or else the one that runs, whoever began it. */
  cancel(sessionId: string): void {
    const session = this.find(sessionId);
    // What this client waits for in the session is what it means, even while something else runs there.
    const hadWaiting = this.#prompts.cancel(sessionId);
    if (!hadWaiting || session?.turns.running?.asker === this.peer) session?.turns.cancel(this.name);
  }

  /** Asks the turn to end that runs, whoever began it, and drops the prompts of this client that wait. */
  cancelAll(sessionId: string): void {
    this.#prompts.cancel(sessionId);
    this.find(sessionId)?.turns.cancel(this.name);
  }

  /** Asks for the end of one tool call or terminal, in whichever process the turn runs. False: it cannot be cancelled. */
  cancelPart(sessionId: string, part: CancellablePart): Promise<boolean> {
    return cancelPart(this.require(sessionId), part, this.name);
  }

  /** False: there is no such mode, option or value. */
  async changeSetting(sessionId: string, id: string, value: OptionValue): Promise<boolean> {
    const session = this.require(sessionId);
    if (!session.settings.takes({ id, value })) return false;
    await this.#stored(sessionId, async () => {
      const { requests } = session;
      // The process that works in the session changes it in between; elsewhere it would be lost with the turn.
      const isElsewhere = requests !== undefined && (await session.shared?.catchUp());
      if (isElsewhere) await requests.act({ type: 'change', id, value, by: this.name });
      else await changeSetting(session, { id, value });
    });
    return true;
  }

  async listSessions({ cwd, cursor, archived }: ListOptions): Promise<SessionPage> {
    const { sessionsPerPage: limit } = this.#runtime.definition.limits;
    return this.#stored(undefined, async () => (await this.#log()).list({ cwd, cursor, archived, limit }));
  }

  /** Cancels what runs, waits for its end, and closes the session here; where other clients have it, it stays open. */
  async closeSession(sessionId: string): Promise<void> {
    const session = this.find(sessionId);
    if (!session) return;
    this.#sessions.remove(sessionId);
    this.#prompts.cancel(sessionId);
    await this.#runtime.registry.close(session, this.peer);
  }

  async deleteSession(sessionId: string): Promise<void> {
    const log = await this.#log();
    this.#prompts.cancel(sessionId);
    const { registry, definition } = this.#runtime;
    await registry.shut(this.principal, sessionId);
    this.#sessions.remove(sessionId);
    const record = definition.onDelete && (await log.get(sessionId));
    await this.#stored(sessionId, () => log.remove(sessionId));
    if (record) await tellDeleted(definition, record);
  }

  async archiveSession(sessionId: string, isArchived: boolean): Promise<void> {
    const log = await this.#log();
    if (isArchived) await this.#runtime.registry.shut(this.principal, sessionId);
    await this.#stored(sessionId, () => log.update(sessionId, { isArchived }));
  }

  /** A session that this client has open, or another one of the same principal. */
  findOpen(sessionId: string): LiveSession | undefined {
    return this.find(sessionId) ?? this.#runtime.registry.find(this.principal, sessionId);
  }

  async sessionStatus(sessionId: string): Promise<'open' | 'saved'> {
    if (this.findOpen(sessionId)) return 'open';
    const log = await this.#log();
    if (await log.get(sessionId)) return 'saved';
    throw sessionNotFound(sessionId);
  }

  async setTitle(sessionId: string, title: string): Promise<void> {
    const session = this.findOpen(sessionId);
    if (session) return this.#stored(sessionId, () => changeSession(session, () => session.setTitle(title)));
    const log = await this.#log();
    await this.#stored(sessionId, () => log.update(sessionId, { title }));
  }

  /** The client is gone: what it had under way is cancelled or left to itself by then, what it had open is closed. */
  async close(): Promise<void> {
    this.#hasEnded = true;
    // Handlers have been told to stop; one that does not is not waited for longer than a cancelled turn is.
    await this.#work.wait(this.#runtime.definition.limits.cancelGraceMs);
    const leave = (session: LiveSession): Promise<void> =>
      this.#runtime.registry.leave(session, this.peer, this.#whenClientLeaves);
    await Promise.all(this.#sessions.removeAll().map(leave));
  }

  async #newSession(options: NewSessionOptions): Promise<LiveSession> {
    const { definition, registry } = this.#runtime;
    const log = await this.#log();
    const metadata = { settings: createSettings(definition), state: {} };
    const record = await log.create({ id: newSessionId(), cwd: options.cwd, metadata });
    const opening = registry.openNew(log, record, { ...options, ...this.#asClient, reason: 'new' });
    return this.#keep(await this.#numbered(opening));
  }

  async #forkSession(sessionId: string, options: NewSessionOptions): Promise<LiveSession> {
    const { registry } = this.#runtime;
    const log = await this.#log();
    await registry.find(this.principal, sessionId)?.settle();
    const record = await this.#stored(sessionId, async () => {
      const upTo = await lastEventKept(log, sessionId, options.meta);
      return log.fork(sessionId, { id: newSessionId(), cwd: options.cwd, upTo });
    });
    const opening = registry.openNew(log, record, { ...options, ...this.#asClient, reason: 'fork' });
    return this.#keep(await this.#numbered(opening));
  }

  async #reopenSession({ sessionId, after, ...options }: ReopenOptions): Promise<LiveSession> {
    const { peer } = this;
    const isOpenHere = this.find(sessionId) !== undefined;
    const join = async (session: LiveSession): Promise<void> => {
      if (peer.offers.cursors) await session.numberEvents();
      if (options.reason === 'load' || after !== undefined)
        await session.replayTo(peer, { signal: options.signal, ...(after !== undefined && { after }) });
      else if (!isOpenHere) await session.shared?.catchUp();
    };
    const log = await this.#log();
    return this.#keep(await this.#runtime.registry.reopen(log, sessionId, { ...options, ...this.#asClient, join }));
  }

  /** Who opens a session, and what becomes of its turns. */
  get #asClient(): Pick<OpenOptions, 'peer' | 'whenClientLeaves'> {
    return { peer: this.peer, whenClientLeaves: this.#whenClientLeaves };
  }

  async #numbered(opening: Promise<LiveSession>): Promise<LiveSession> {
    const session = await opening;
    if (this.peer.offers.cursors) await session.numberEvents();
    return session;
  }

  /** A session that was opened for a client which is gone by now is closed again. */
  async #keep(session: LiveSession): Promise<LiveSession> {
    if (this.#hasEnded) await this.#runtime.registry.leave(session, this.peer);
    else this.#sessions.add(session);
    return session;
  }

  #open(sessionId: string | undefined, open: () => Promise<LiveSession>): Promise<LiveSession> {
    return this.#sessions.open(sessionId, () => this.#work.add(this.#stored(sessionId, open)));
  }

  #log(): Promise<SessionLog> {
    return this.#runtime.log(this.principal);
  }

  /** Does something with the store; what is wrong with it reaches the person, and the agent's author. */
  async #stored<T>(sessionId: string | undefined, work: () => Promise<T>): Promise<T> {
    try {
      return await work();
    } catch (error) {
      const refusal = storeError(error, sessionId);
      const isFault =
        refusal !== error && refusal instanceof RpcError && refusal.code === RPC_ERROR_CODES.internalError;
      if (isFault) {
        const message = 'The session store could not be used.';
        this.#runtime.definition.report({ kind: 'log_failed', message, error, ...(sessionId && { sessionId }) });
      }
      throw refusal;
    }
  }
}

function newSessionId(): string {
  return `sess_${crypto.randomUUID()}`;
}
