import { setTimeout as sleep } from 'node:timers/promises';
import type { AgentConnection, ClientSession, Question, Transcript, Turn } from '@parley/client';
import type { PermissionMode } from '@parley/policy';
import type { AuthMethod } from '@parley/protocol';
import { promptFromText } from '../prompt/prompt-from-text.ts';
import type { PastTurn } from '../view/past-turns.ts';
import type { ChatDestination, ChatOptions, ChatTarget } from './chat-options.ts';
import { forkBefore } from './fork-before.ts';
import { type ChatHooks, type OpeningHooks, openChat, openChatSession } from './open-chat.ts';

/** How long the agent's end is waited for after a second Ctrl-C. */
const INSISTED_MS = 500;

export interface ConversationEvents {
  /** Something is to be drawn anew. */
  readonly onChange: () => void;
  /** Another session is talked to now. `isShown`: what was said in it stands on the screen already. */
  readonly onSession: (session: ClientSession, isShown: boolean) => void;
  /** The agent is gone; the words say how, unless a failed turn has said so already. */
  readonly onLost: (words: string) => void;
}

/** The agent and the session that a chat is about, whatever the chat looks like. */
export class Conversation {
  readonly #hooks: OpeningHooks;
  readonly #events: ConversationEvents;
  readonly #queued = new Map<Turn, string>();
  #target: ChatTarget;
  #pastTurns: readonly PastTurn[] = [];
  #connection: AgentConnection | undefined;
  #session: ClientSession | undefined;
  /** Prompts are sent in the order they were written, though reading their files takes time. */
  #sending: Promise<unknown> = Promise.resolve();
  #opening: Promise<unknown> = Promise.resolve();
  #isClosing = false;
  #isInsisted = false;
  /** What our policy allows without asking; undefined as long as the flags say so. */
  #policyMode: PermissionMode | undefined;
  /** What goes to the agent before the next prompt. */
  #notes: string[] = [];

  constructor(options: ChatOptions, hooks: ChatHooks, events: ConversationEvents) {
    this.#target = options;
    this.#hooks = { ...hooks, permissionMode: () => this.#policyMode };
    this.#events = events;
  }

  /** Whom this is with. */
  get target(): ChatTarget {
    return this.#target;
  }

  /** How the turns of an old session ended. */
  get pastTurns(): readonly PastTurn[] {
    return this.#pastTurns;
  }

  /** What our own policy allows without asking. */
  get policyMode(): PermissionMode {
    const { permissionMode = 'default' } = this.#target;
    return this.#policyMode ?? (permissionMode === 'denyAll' ? 'plan' : permissionMode);
  }

  setPolicyMode(mode: PermissionMode): void {
    this.#policyMode = mode;
    this.#events.onChange();
  }

  /** Tells the agent something with the next prompt. */
  addNote(text: string): void {
    this.#notes.push(text);
  }

  get session(): ClientSession | undefined {
    return this.#session;
  }

  get connection(): AgentConnection | undefined {
    return this.#connection;
  }

  get transcript(): Transcript | undefined {
    return this.#session?.transcript;
  }

  get isBusy(): boolean {
    return this.#session?.turn !== undefined;
  }

  /** The texts of the prompts that wait. */
  get queue(): readonly string[] {
    return this.#session?.queue.map((turn) => this.#queued.get(turn) ?? '') ?? [];
  }

  /** What the agent asks here and now, oldest first. */
  get questions(): readonly Question[] {
    const here = this.#session?.id;
    return this.#connection?.questions.filter(({ sessionId }) => sessionId === undefined || sessionId === here) ?? [];
  }

  get loginMethods(): readonly AuthMethod[] {
    return this.#connection?.authMethods ?? [];
  }

  async open({ target, resume, pastTurns = [] }: ChatDestination = { target: this.#target }): Promise<void> {
    const opening = openChat(target, this.#hooks, resume);
    this.#opening = opening.catch(() => {});
    const { connection, session } = await opening;
    this.#target = target;
    this.#pastTurns = pastTurns;
    this.#connection = connection;
    connection.on('question', () => this.#events.onChange());
    void connection.closed.then((error) => this.#lost(connection, error));
    this.#follow(session);
  }

  /** Whether what is written now can reach the turn that runs. */
  get canSteer(): boolean {
    return this.isBusy && (this.#connection?.offers.steer ?? false);
  }

  /** How many of the prompts that wait, the first ones, are for the turn that runs. */
  get steering(): number {
    return this.#session?.queue.filter(({ state }) => state === 'steering').length ?? 0;
  }

  /** Sends a prompt; while the agent works it is queued, or sent into the turn. Throws when it cannot be sent at all. */
  send(text: string, whenBusy: 'queue' | 'steer' = 'queue'): Promise<Turn> {
    const sent = this.#sending.then(async () => {
      const session = this.#requireSession();
      if (session.state === 'lost') throw new Error('The agent is gone. Type /restart to start it again.');
      const blocks = await promptFromText(text, {
        cwd: this.#target.session.cwd,
        agentTitle: this.#target.agent.title,
        capabilities: this.#connection?.offers,
        notes: this.#notes,
      });
      const turn = session.prompt(blocks, { whenBusy });
      this.#notes = [];
      this.#queued.set(turn, text);
      const forget = (): boolean => this.#queued.delete(turn);
      turn.result.then(forget, forget);
      return turn;
    });
    this.#sending = sent.catch(() => {});
    return sent;
  }

  /** Takes a prompt out of the queue, the last unless told otherwise, and returns its text. */
  takeBack(index: number = this.queue.length - 1): string | undefined {
    const turn = this.#session?.queue[index];
    const text = turn && this.#queued.get(turn);
    void turn?.cancel();
    return text;
  }

  /** Stops the turn that runs and empties the queue; returns what was in it. */
  stop(): readonly string[] {
    const { queue } = this;
    void this.#session?.cancel();
    return queue;
  }

  answer(questionId: string, answer: unknown): void {
    this.#connection?.answer(questionId, answer);
    this.#events.onChange();
  }

  async beginSession(): Promise<void> {
    const connection = this.#connection;
    if (!connection) return this.open();
    const before = this.#session;
    this.#pastTurns = [];
    this.#follow(await openChatSession(connection, this.#target, this.#hooks));
    await before?.close().catch(() => {});
  }

  /** Talks in another session, or to another agent. Where that fails, this one goes on. */
  async moveTo(destination: ChatDestination): Promise<void> {
    const { target, resume, pastTurns = [] } = destination;
    const [connection, before] = [this.#connection, this.#session];
    const isSame = target.agent.name === this.#target.agent.name && connection?.state === 'connected';
    if (!isSame) {
      await this.open(destination);
      await connection?.close();
      return;
    }
    const session = await openChatSession(connection, target, this.#hooks, resume);
    this.#target = target;
    this.#pastTurns = pastTurns;
    this.#follow(session);
    await before?.close().catch(() => {});
  }

  /** Goes on as if the last turns had never been, in a new session; the old one stays as it is. */
  async rewind(dropTurns: number): Promise<void> {
    const [connection, before] = [this.#connection, this.#requireSession()];
    if (!connection) return;
    const session = await forkBefore(connection, {
      session: before,
      target: this.#target,
      dropTurns,
      say: this.#hooks.onNote,
    });
    this.#pastTurns = [];
    await this.#target.onSession?.(session, this.#hooks.onNote);
    this.#follow(session, true);
    await before.close().catch(() => {});
  }

  /** Starts the agent anew; the session goes on where the agent can open it again. */
  async restart(): Promise<void> {
    const connection = this.#connection;
    const sessionId = this.#session?.id;
    const canReopen = connection !== undefined && (connection.offers.loadSession || connection.offers.resumeSession);
    if (!canReopen && sessionId !== undefined) {
      this.#hooks.onNote('The agent cannot open a session again, so this is a new one.');
    }
    this.#connection = undefined;
    this.#session = undefined;
    await connection?.close();
    if (!canReopen || sessionId === undefined) return this.open();
    const target = this.#target;
    const resume = { id: sessionId, agent: target.agent.name, agentSessionId: sessionId };
    try {
      await this.open({ target, resume, pastTurns: this.#pastTurns });
    } catch (error) {
      const because = error instanceof Error ? error.message : String(error);
      this.#hooks.onNote(`The session could not be opened again, so this is a new one. ${because}`);
      await this.open();
    }
  }

  async login(methodId: string): Promise<void> {
    const method = this.loginMethods.find(({ id }) => id === methodId);
    await this.#connection?.authenticate(methodId);
    if (method) this.#hooks.onNote(`Logged in with ${method.name}.`);
  }

  /** The person does not wait for the agent any longer. */
  insist(): void {
    this.#isInsisted = true;
  }

  /** Ends the agent. What is still being opened must have been told to stop, by the signal of the hooks. */
  async close(): Promise<void> {
    this.#isClosing = true;
    await this.#opening;
    const closing = this.#connection?.close();
    // The watchdog ends what is left of the agent.
    await (this.#isInsisted ? Promise.race([closing, sleep(INSISTED_MS)]) : closing);
  }

  #follow(session: ClientSession, isShown = false): void {
    this.#session = session;
    session.on('change', () => {
      if (session === this.#session) this.#events.onChange();
    });
    this.#events.onSession(session, isShown);
    this.#events.onChange();
  }

  #lost(connection: AgentConnection, error: unknown): void {
    if (this.#isClosing || connection !== this.#connection) return;
    const words = error instanceof Error ? error.message : 'The agent has closed the connection.';
    // A turn that it was in the middle of has failed with the same words.
    const isTold = this.#session?.transcript.turns.at(-1)?.error === words;
    this.#events.onLost(isTold ? '' : words);
    this.#events.onChange();
  }

  #requireSession(): ClientSession {
    if (!this.#session) throw new Error('There is no session yet. Wait until the agent has started, or type /restart.');
    return this.#session;
  }
}
