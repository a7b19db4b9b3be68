import {
  type AgentConnection,
  type ClientSession,
  listValues,
  type Question,
  type Transcript,
  type Turn,
} from '@parley/client';
import type { AuthMethod } from '@parley/protocol';
import type { StoredSession } from '../run/open-session.ts';
import type { ChatOptions } from './chat-options.ts';
import { type ChatHooks, openChat, openChatSession } from './open-chat.ts';
import { type OwnCommand, readOwnCommand } from './prompt/own-commands.ts';
import { promptFromText } from './prompt/prompt-from-text.ts';

export interface ConversationEvents {
  /** Something is to be drawn anew. */
  readonly onChange: () => void;
  /** Another session is talked to now. */
  readonly onSession: (session: ClientSession) => void;
  /** The agent is gone; the words say how, unless a failed turn has said so already. */
  readonly onLost: (words: string) => void;
}

/** The agent and the session that a chat is about, whatever the chat looks like. */
export class Conversation {
  readonly #options: ChatOptions;
  readonly #hooks: ChatHooks;
  readonly #events: ConversationEvents;
  readonly #queued = new Map<Turn, string>();
  #connection: AgentConnection | undefined;
  #session: ClientSession | undefined;
  /** The transcript as it was when it was last written down; undefined where nobody writes it down. */
  #saved: Transcript | undefined;
  #saving: Promise<void> | undefined;
  /** Prompts are sent in the order they were written, though reading their files takes time. */
  #sending: Promise<unknown> = Promise.resolve();
  #opening: Promise<unknown> = Promise.resolve();
  #isClosing = false;

  constructor(options: ChatOptions, hooks: ChatHooks, events: ConversationEvents) {
    this.#options = options;
    this.#hooks = hooks;
    this.#events = events;
  }

  get session(): ClientSession | undefined {
    return this.#session;
  }

  get connection(): AgentConnection | undefined {
    return this.#connection;
  }

  /** What may be shown: what is written down. */
  get transcript(): Transcript | undefined {
    return this.#saved ?? this.#session?.transcript;
  }

  /** Resolves when everything that was told may be shown. */
  async settled(): Promise<void> {
    while (this.#saving) await this.#saving;
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

  async open(resume?: StoredSession): Promise<void> {
    const opening = openChat(this.#options, this.#hooks, resume);
    this.#opening = opening.catch(() => {});
    const { connection, session } = await opening;
    this.#connection = connection;
    connection.on('question', () => this.#events.onChange());
    void connection.closed.then((error) => this.#lost(connection, error));
    this.#follow(session);
  }

  /** Sends a prompt, or queues it while the agent works. Throws when it cannot be sent at all. */
  send(text: string): Promise<Turn> {
    const sent = this.#sending.then(async () => {
      const session = this.#requireSession();
      if (session.state === 'lost') throw new Error('The agent is gone. Type /restart to start it again.');
      const blocks = await promptFromText(text, {
        cwd: this.#options.session.cwd,
        agentTitle: this.#options.agent.title,
        capabilities: this.#connection?.offers,
      });
      const turn = session.prompt(blocks, { queue: true });
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

  /** The mode after the one the session is in; undefined when the agent has no modes. */
  nextMode(): string | undefined {
    const { current, modes } = this.modes;
    if (modes.length === 0) return undefined;
    const place = modes.findIndex(({ id }) => id === current);
    return modes[(place + 1) % modes.length]?.id;
  }

  /** The modes of the session, whether the agent tells them as modes or as an option. */
  get modes(): { readonly current: string | undefined; readonly modes: readonly ModeChoice[] } {
    const { mode, options = [] } = this.transcript ?? {};
    if (mode && mode.availableModes.length > 0) return { current: mode.currentModeId, modes: mode.availableModes };
    const option = options.find(({ category, type }) => category === 'mode' && type === 'select');
    if (!option) return { current: undefined, modes: [] };
    const modes = listValues(option).map(({ value, name, description }) => ({ id: value, name, description }));
    return { current: String(option.currentValue), modes };
  }

  /**
   * The command of the chat that a text calls. The agent's commands go before ours, except that a bare `/model` or
   * `/mode` picks where there is something to pick.
   */
  readCommand(text: string): OwnCommand | undefined {
    const { commands = [], options = [] } = this.transcript ?? {};
    const isPicked = (name: string): boolean =>
      text.trim() === `/${name}` &&
      ((name === 'mode' && this.modes.modes.length > 0) ||
        (name === 'model' && options.some(({ category }) => category === 'model')));
    return readOwnCommand(
      text,
      commands.filter(({ name }) => !isPicked(name)),
    );
  }

  async beginSession(): Promise<void> {
    const connection = this.#connection;
    if (!connection) return this.open();
    const before = this.#session;
    this.#follow(await openChatSession(connection, this.#options, this.#hooks));
    await before?.close().catch(() => {});
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
    try {
      await this.open({ id: sessionId, agent: this.#options.agent.name, agentSessionId: sessionId });
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

  /** Ends the agent. What is still being opened must have been told to stop, by the signal of the hooks. */
  async close(): Promise<void> {
    this.#isClosing = true;
    await this.#opening;
    await this.#connection?.close();
    await this.settled();
  }

  #follow(session: ClientSession): void {
    this.#session = session;
    this.#saved = this.#options.save && session.transcript;
    session.on('change', () => this.#changed(session));
    this.#events.onSession(session);
    this.#events.onChange();
  }

  /** Shows a change when it is written down; what comes meanwhile is shown together, after the next write. */
  #changed(session: ClientSession): void {
    if (session !== this.#session || this.#saving) return;
    const { transcript } = session;
    const show = (): void => {
      if (this.#saved) this.#saved = transcript;
      this.#events.onChange();
    };
    const saving = this.#options.save?.();
    if (!saving) return show();
    this.#saving = saving.then(() => {
      this.#saving = undefined;
      if (session !== this.#session) return;
      show();
      if (session.transcript !== transcript) this.#changed(session);
    });
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

export interface ModeChoice {
  readonly id: string;
  readonly name: string;
  readonly description?: string | null | undefined;
}
