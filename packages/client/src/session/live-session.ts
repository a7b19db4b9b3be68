import type { ContentBlock, SessionConfigOption } from '@parley/protocol';
import type { Question, SessionEvent } from '@parley/session';
import { type SessionState, sumTokens, type TokenUsage, type Transcript, type TranscriptEvent } from '@parley/session';
import type { Clock } from '../clock.ts';
import type { UnstableCalls } from '../connect/unstable-calls.ts';
import { Emitter } from '../emitter.ts';
import { UsageError } from '../errors.ts';
import type { ClientLimits } from '../limits.ts';
import type {
  AgentFacts,
  CallOptions,
  Meta,
  PromptOutcome,
  SessionSettings,
  SessionSetup,
} from '../peer/agent-peer.ts';
import { type PromptContent, type PromptRules, requirePrompt } from '../turn/prompt-content.ts';
import type { Turn } from '../turn/prompt-turn.ts';
import { toTurnEvent } from '../turn/turn-event.ts';
import { type CancelOptions, TurnRunner } from '../turn/turn-runner.ts';
import { requireChoice } from './config-options.ts';
import { TranscriptKeeper } from './live-transcript.ts';
import type { EventSink } from './session-router.ts';

export interface SessionEvents {
  /** The transcript is another one now. Comes once for a whole chunk of events. */
  change: Transcript;
  /** Each event by itself, after it was folded. */
  event: TranscriptEvent;
  /** The agent asks something; see `connection.answer`. */
  question: Question;
  closed: undefined;
}

export interface PromptOptions {
  /** Waits for the turns before it, where one runs. Default: that is an error. */
  readonly queue?: boolean;
  /** Cancels the turn. */
  readonly signal?: AbortSignal;
  /** `_meta` of the request, for what an agent takes besides the specification. The answer's is `turn.result`'s `meta`. */
  readonly meta?: Meta;
}

/** What every call in a session can take. */
export interface MetaOptions {
  /** `_meta` of the request. */
  readonly meta?: Meta;
}

/** What a session needs of its connection. */
export interface SessionHost {
  readonly clock: Clock;
  readonly limits: ClientLimits;
  readonly facts: AgentFacts;
  readonly unstable: UnstableCalls;
  readonly promptRules: Omit<PromptRules, 'promptCapabilities'>;
  prompt(sessionId: string, prompt: readonly ContentBlock[], options: CallOptions): Promise<PromptOutcome>;
  /** Sends `session/cancel` and answers the session's open questions. */
  stop(sessionId: string, meta?: Meta): void;
  setMode(sessionId: string, modeId: string, meta: Meta | undefined): Promise<void>;
  setOption(
    sessionId: string,
    choice: { readonly optionId: string; readonly value: string | boolean },
    meta: Meta | undefined,
  ): Promise<readonly SessionConfigOption[]>;
  close(session: ClientSession, meta: Meta | undefined): Promise<void>;
}

/** One conversation with the agent. Made by `connection.newSession` and its siblings. */
export class ClientSession implements EventSink, AsyncDisposable {
  readonly cwd: string;
  readonly additionalDirectories: readonly string[];
  /** How it was opened, to open it again after a lost connection. */
  readonly setup: SessionSetup;
  readonly #host: SessionHost;
  readonly #keeper: TranscriptKeeper;
  readonly #turns: TurnRunner;
  readonly #emitter = new Emitter<SessionEvents>();
  readonly #beforePrompt = new Set<() => void | Promise<void>>();
  #id: string;
  #meta: Meta | undefined;
  #isCleared = false;
  #closing: Promise<void> | undefined;

  constructor(id: string, setup: SessionSetup, host: SessionHost) {
    this.#id = id;
    this.cwd = setup.cwd;
    this.additionalDirectories = setup.additionalDirectories;
    this.setup = setup;
    this.#host = host;
    this.#keeper = new TranscriptKeeper(host.clock, () => this.#emitter.emit('change', this.transcript));
    const keeper = this.#keeper;
    this.#turns = new TurnRunner({
      clock: host.clock,
      limits: host.limits,
      get transcript() {
        return keeper.transcript;
      },
      apply: (event) => this.apply(event),
      prepare: () => this.#prepare(),
      send: (prompt, options) => host.prompt(this.#id, prompt, options),
      stop: (meta) => host.stop(this.#id, meta),
    });
  }

  /** The agent's name for it. It changes only with `onSessionLost: 'new'`, when the agent has lost the session. */
  get id(): string {
    return this.#id;
  }

  /** `_meta` of the agent's answer that opened it, the last time it was opened. */
  get meta(): Meta | undefined {
    return this.#meta;
  }

  /** Whether the agent is telling an old conversation again: `transcript.isReplaying`, for whoever asks at every event. */
  get isReplaying(): boolean {
    return this.#keeper.isReplaying;
  }

  /** For the connection: whether the agent has begun to work on the running turn. */
  get hasProgress(): boolean {
    return this.#turns.active?.hasProgress ?? false;
  }

  /** Whether the transcript was cleared. */
  get isCleared(): boolean {
    return this.#isCleared;
  }

  /** Everything said and done so far; a new object after each event. */
  get transcript(): Transcript {
    return this.#keeper.transcript;
  }

  /** The tokens that the turns of this connection have used together; undefined when the agent tells none. */
  get tokens(): TokenUsage | undefined {
    return sumTokens(this.transcript);
  }

  get state(): SessionState {
    return this.transcript.state;
  }

  /** The turn that runs, if one does. */
  get turn(): Turn | undefined {
    return this.#turns.active;
  }

  /** Prompts that wait for the running turn. `turn.cancel()` takes one out. */
  get queue(): readonly Turn[] {
    return this.#turns.queued;
  }

  get isClosed(): boolean {
    return this.#closing !== undefined;
  }

  /** Follows the session. Returns a function that ends it. */
  on<Name extends keyof SessionEvents>(name: Name, listener: (value: SessionEvents[Name]) => void): () => void {
    return this.#emitter.on(name, listener);
  }

  /**
   * Calls a function before each prompt is sent, when its `turn_started` has been told already: for who must write the
   * prompt down first. The prompt waits for its promise; a rejection fails the turn. Returns a function that ends it.
   */
  beforePrompt(prepare: () => void | Promise<void>): () => void {
    this.#beforePrompt.add(prepare);
    return () => this.#beforePrompt.delete(prepare);
  }

  /**
   * Sends a prompt. Throws at once, before anything is sent, when the agent does not take this kind of content or still
   * works on the last prompt.
   */
  prompt(content: PromptContent, { queue = false, signal, meta }: PromptOptions = {}): Turn {
    this.#requireOpen();
    signal?.throwIfAborted();
    const { promptCapabilities } = this.#host.facts.capabilities;
    const blocks = requirePrompt(content, { ...this.#host.promptRules, promptCapabilities });
    this.#keeper.settle();
    const turn = this.#turns.start(blocks, { mayQueue: queue, meta });
    if (signal) cancelOnAbort(turn, signal);
    return turn;
  }

  /**
   * Ends the running turn and drops queued prompts. Asks the agent first; when called again, or when the agent takes
   * too long, the turn ends without it. Resolves when the turn has ended; does nothing when none runs.
   */
  cancel(options?: CancelOptions): Promise<void> {
    return this.#turns.cancel(options);
  }

  /** Puts the session into a mode, by the agent's modes or, where it has none, by its `mode` option. */
  async setMode(modeId: string, { meta }: MetaOptions = {}): Promise<void> {
    this.#requireOpen();
    const { mode, options } = this.transcript;
    const option = options.find(({ category }) => category === 'mode');
    if (!mode && option) return this.setOption(option.id, modeId, meta ? { meta } : {});
    const known = mode?.availableModes.map(({ id }) => id) ?? [];
    if (!known.includes(modeId)) {
      throw new UsageError(
        'unknown_choice',
        `The agent has no mode "${modeId}"; it has ${known.join(', ') || 'no modes'}.`,
      );
    }
    await this.#host.setMode(this.id, modeId, meta);
    this.apply({ type: 'mode', modeId });
  }

  /** Changes one of the session's options. */
  async setOption(optionId: string, value: string | boolean, { meta }: MetaOptions = {}): Promise<void> {
    this.#requireOpen();
    requireChoice(this.transcript.options, optionId, value);
    this.apply({ type: 'config', options: await this.#host.setOption(this.id, { optionId, value }, meta) });
  }

  /**
   * Takes the conversation out of the transcript: entries, turns, terminals, plan and usage. Only here: the agent is not
   * told and still knows what was said. Followers get the event `cleared`. Not while a turn runs, whose result needs it.
   */
  clearTranscript(): void {
    if (this.turn || this.isReplaying) {
      throw new UsageError('turn_running', 'The transcript is in use; clear it when the turn, or the load, has ended.');
    }
    this.#isCleared = true;
    this.#keeper.clear();
    this.#emitter.emit('event', { type: 'cleared' });
  }

  /** Puts the session away: it is closed, and no longer listed until `connection.unarchiveSession`. Unstable. */
  async archive(): Promise<void> {
    this.#requireOpen();
    await this.#host.unstable.archive(this.id);
    await this.close();
  }

  /** Gives the session a title; resolves with it as the agent has kept it. Unstable. */
  async setTitle(title: string): Promise<string> {
    this.#requireOpen();
    const kept = await this.#host.unstable.setTitle(this.id, title);
    this.apply({ type: 'info', title: kept });
    return kept;
  }

  /** Ends the session: cancels what runs and frees what it holds, on both sides. */
  close({ meta }: MetaOptions = {}): Promise<void> {
    this.#closing ??= this.#close(meta);
    return this.#closing;
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close();
  }

  /** For the connection: an event of the agent. */
  receive(event: SessionEvent): void {
    this.apply(event);
  }

  /** For the connection: an event of either side. */
  apply(event: TranscriptEvent): void {
    this.#keeper.apply(event);
    const { active } = this.#turns;
    // What is told again belongs to no turn that runs now.
    const turnEvent = active && !this.isReplaying && toTurnEvent(event, this.#keeper.transcript);
    if (turnEvent) active.push(turnEvent);
    if (event.type === 'question') this.#emitter.emit('question', event.question);
    this.#emitter.emit('event', event);
  }

  /** For the connection: what comes from now on is told again, until `opened`. */
  startReplay(): void {
    this.#keeper.startReplay();
  }

  /** For the connection: the agent has opened the session with these settings. */
  opened({ modes, options, meta }: SessionSettings): void {
    this.#meta = meta;
    this.#keeper.endReplay();
    // A running turn goes on behind what was told again.
    if (this.turn) this.#keeper.settle();
    if (modes) this.apply({ type: 'modes', ...modes });
    if (options) this.apply({ type: 'config', options });
  }

  /** For the connection: the session could not be opened; what we have stays as it is. */
  notOpened(): void {
    this.#keeper.endReplay();
    this.#keeper.settle();
  }

  /** For the connection: the agent had lost it and has made another for it. */
  moveTo(id: string): void {
    const from = this.#id;
    this.#id = id;
    this.apply({ type: 'session_replaced', from, to: id });
  }

  /** For the connection: the agent is gone. */
  lose(error: unknown): void {
    this.#turns.fail(error);
    this.apply({ type: 'connection_lost' });
  }

  /** For the connection: the session goes on with a new agent process. */
  restore(): void {
    this.apply({ type: 'connection_restored' });
  }

  #prepare(): Promise<void> | undefined {
    if (this.#beforePrompt.size === 0) return undefined;
    return Promise.all([...this.#beforePrompt].map(async (prepare) => prepare())).then(() => {});
  }

  async #close(meta: Meta | undefined): Promise<void> {
    const stopped = this.cancel();
    try {
      await this.#host.close(this, meta);
    } finally {
      this.#turns.fail(new UsageError('session_closed', 'The session was closed.'));
      await stopped;
      this.#emitter.emit('closed', undefined);
    }
  }

  #requireOpen(): void {
    if (this.isClosed)
      throw new UsageError('session_closed', 'The session is closed; open a new one, or load it again.');
    if (this.state === 'lost')
      throw new UsageError(
        'connection_closed',
        'The connection to the agent is lost; connect again and load the session.',
      );
  }
}

function cancelOnAbort(turn: Turn, signal: AbortSignal): void {
  const onAbort = (): void => void turn.cancel();
  signal.addEventListener('abort', onAbort, { once: true });
  const release = (): void => signal.removeEventListener('abort', onAbort);
  turn.result.then(release, release);
}
