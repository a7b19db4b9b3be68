import {
  type Extra,
  type SessionEvent,
  type SessionState,
  sumTokens,
  type TokenUsage,
  type Transcript,
  type TranscriptEvent,
} from '@parley/session';
import { Emitter } from '../emitter.ts';
import { UpdateError, UsageError } from '../errors.ts';
import type { Meta, SessionSettings, SessionSetup, TurnEnd } from '../peer/agent-peer.ts';
import { type PromptContent, requirePrompt } from '../turn/prompt-content.ts';
import type { PromptingSession } from '../turn/prompting-session.ts';
import { type CancelOptions, cancelOnAbort, type Turn } from '../turn/turn.ts';
import { toTurnEvent } from '../turn/turn-event.ts';
import { TurnRunner } from '../turn/turn-runner.ts';
import { modesFromOptions } from './config-options.ts';
import { LiveTranscript } from './live-transcript.ts';
import type { ClientSession, MetaOptions, PromptOptions, SessionEvents } from './session.ts';
import { SessionCalls } from './session-calls.ts';
import type { SessionConnection } from './session-connection.ts';
import type { EventSink } from './session-router.ts';

/** A session that is open here: the inside of a `ClientSession`. */
export class LiveSession implements ClientSession, PromptingSession, EventSink {
  readonly connection: SessionConnection;
  readonly cwd: string;
  readonly additionalDirectories: readonly string[];
  /** How it was opened, to open it again after a lost connection. */
  readonly setup: SessionSetup;
  readonly #transcript: LiveTranscript;
  readonly #turns: TurnRunner;
  readonly #calls: SessionCalls;
  readonly #emitter = new Emitter<SessionEvents>();
  readonly #beforePrompt = new Set<() => void | Promise<void>>();
  #id: string;
  /** What the agent said when it opened the session, such as what the session was doing then. */
  #told: SessionSettings | undefined;
  /** The number of the last event that we were told; undefined while we do not know where we stand. */
  #cursor: number | undefined;
  /** The last turn that the agent said has ended. */
  #endedTurn: string | undefined;
  #isCleared = false;
  #closing: Promise<void> | undefined;

  constructor(id: string, setup: SessionSetup, connection: SessionConnection) {
    this.#id = id;
    this.cwd = setup.cwd;
    this.additionalDirectories = setup.additionalDirectories;
    this.setup = setup;
    this.connection = connection;
    this.#transcript = new LiveTranscript(connection.clock, () => this.#emitter.emit('change', this.transcript));
    this.#turns = new TurnRunner(this);
    this.#calls = new SessionCalls(this);
  }

  get id(): string {
    return this.#id;
  }

  get meta(): Meta | undefined {
    return this.#told?.meta;
  }

  get extra(): Extra | undefined {
    return this.#told?.extra;
  }

  get isReplaying(): boolean {
    return this.#transcript.isReplaying;
  }

  /** For the connection: whether the agent has begun to work on the running turn. */
  get hasProgress(): boolean {
    return this.#turns.active?.hasProgress ?? false;
  }

  /** For the connection: the number of the last event that we have, to go on from there. */
  get cursor(): number | undefined {
    return this.#cursor;
  }

  get isCleared(): boolean {
    return this.#isCleared;
  }

  get transcript(): Transcript {
    return this.#transcript.current;
  }

  get tokens(): TokenUsage | undefined {
    return sumTokens(this.transcript);
  }

  get state(): SessionState {
    return this.transcript.state;
  }

  get turn(): Turn | undefined {
    return this.#turns.active;
  }

  get queue(): readonly Turn[] {
    return this.#turns.queued;
  }

  get isClosed(): boolean {
    return this.#closing !== undefined;
  }

  on<Name extends keyof SessionEvents>(name: Name, listener: (value: SessionEvents[Name]) => void): () => void {
    return this.#emitter.on(name, listener);
  }

  beforePrompt(prepare: () => void | Promise<void>): () => void {
    this.#beforePrompt.add(prepare);
    return () => this.#beforePrompt.delete(prepare);
  }

  prompt(content: PromptContent, { whenBusy = 'refuse', signal, meta }: PromptOptions = {}): Turn {
    this.#calls.requireOpen();
    signal?.throwIfAborted();
    const { facts, promptRules } = this.connection;
    const blocks = requirePrompt(content, { ...promptRules, facts });
    this.#transcript.settle();
    const turn = this.#turns.start(blocks, { whenBusy, meta });
    if (signal) cancelOnAbort(turn, signal);
    return turn;
  }

  async cancel(options?: CancelOptions): Promise<void> {
    // A turn of another client, or of this one before it opened the session anew, is the agent's alone to end.
    const isAtWork = this.state === 'running' || this.state === 'waiting';
    if (!this.turn && (isAtWork || this.connection.subagents.running(this.id).length > 0))
      this.connection.cancelTurn(this.id, options?.meta);
    await this.#turns.cancel(options);
  }

  setMode(modeId: string, options: MetaOptions = {}): Promise<void> {
    return this.#calls.setMode(modeId, options);
  }

  setOption(optionId: string, value: string | boolean, options: MetaOptions = {}): Promise<void> {
    return this.#calls.setOption(optionId, value, options);
  }

  cancelToolCall(toolCallId: string, options: MetaOptions = {}): Promise<void> {
    return this.#calls.cancelToolCall(toolCallId, options);
  }

  cancelTerminal(terminalId: string, options: MetaOptions = {}): Promise<void> {
    return this.#calls.cancelTerminal(terminalId, options);
  }

  clearTranscript(): void {
    if (this.turn || this.isReplaying) {
      throw new UsageError('turn_running', 'The transcript is in use; clear it when the turn, or the load, has ended.');
    }
    this.#isCleared = true;
    this.#transcript.clear();
    this.#emitter.emit('event', { type: 'cleared' });
  }

  archive(): Promise<void> {
    return this.#calls.archive();
  }

  setTitle(title: string): Promise<string> {
    return this.#calls.setTitle(title);
  }

  close({ meta }: MetaOptions = {}): Promise<void> {
    this.#closing ??= this.#close(meta);
    return this.#closing;
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close();
  }

  /** For the connection: an event of the agent, and its number. */
  receive(event: SessionEvent, cursor?: number): void {
    this.#whole(event.type, () => {
      if (cursor !== undefined) this.#cursor = cursor;
      if (event.type === 'state' && event.state === 'idle') this.#endedTurn = event.turnId;
      if (!this.#turns.see(event)) this.#take(event);
      this.#turns.follow(event);
    });
  }

  /** For the connection: the agent has ended a turn. */
  endTurn(end: TurnEnd): void {
    this.#whole(end.type, () => this.#turns.end(end));
  }

  /** For the connection: an event of either side. */
  apply(event: TranscriptEvent): void {
    if (!this.isReplaying) this.#turns.count(event);
    this.#transcript.apply(event);
    const active = this.#turns.reader;
    // What is told again belongs to no turn that runs now.
    const turnEvent = active && !this.isReplaying && toTurnEvent(event, this.#transcript.current);
    if (turnEvent) active.push(turnEvent);
    if (event.type === 'question') this.#emitter.emit('question', event.question);
    this.#emitter.emit('event', event);
    if (event.type === 'config') this.#applyModes(event.options);
  }

  /**
   * For the connection: what comes from now on is told again, until `opened`. `isWhole` when that is the whole conversation,
   * so that we know by then where we stand.
   */
  startReplay(isWhole: boolean): void {
    this.#cursor = isWhole ? 0 : undefined;
    this.#transcript.startReplay();
  }

  /** For the connection: what comes from now on is new, although it happened while we were gone. */
  goOn(): void {
    this.#transcript.settle();
  }

  /** For the connection: the session was made just now, and all that happens in it is told. */
  begin(): void {
    this.#cursor = 0;
  }

  /** For the connection: the agent has opened the session with these settings. */
  opened(settings: SessionSettings): void {
    const { modes, options, commands } = settings;
    this.#told = settings;
    this.#transcript.endReplay();
    // A running turn goes on behind what was told again.
    if (this.turn) this.#transcript.settle();
    if (modes) this.apply({ type: 'modes', ...modes });
    if (options) this.apply({ type: 'config', options });
    if (commands) this.apply({ type: 'commands', commands });
    this.#applyTold();
  }

  /** For the connection: the session could not be opened; what we have stays as it is. */
  notOpened(): void {
    this.#transcript.endReplay();
    this.#transcript.settle();
  }

  /** For the connection: the agent had lost it and has made another for it. */
  moveTo(id: string): void {
    const from = this.#id;
    this.#id = id;
    this.apply({ type: 'session_replaced', from, to: id });
  }

  /** For the connection: the agent is gone. With `mayReturn` it is being reached again, and may have kept what runs. */
  lose(error: unknown, mayReturn: boolean): void {
    const isToldAfterwards = this.#cursor !== undefined && this.connection.facts.offers.cursors;
    this.connection.subagents.stop(this.id);
    if (mayReturn && isToldAfterwards) this.#turns.suspend(error);
    else this.#turns.giveUp(error);
    this.apply({ type: 'connection_lost' });
  }

  /** For the connection: nobody will say what became of the turn that ran when the agent was lost. */
  giveUp(): void {
    this.#turns.giveUp();
  }

  /** For the connection: the session goes on with a new agent process. */
  restore(): void {
    this.apply({ type: 'connection_restored' });
    const told = this.#told?.state;
    this.#turns.restore(told?.state === 'idle' ? undefined : told?.turnId);
    this.#applyTold();
  }

  /** For its turns: whatever must be done before a prompt is sent. */
  prepare(): Promise<void> | undefined {
    if (this.#beforePrompt.size === 0) return undefined;
    return Promise.all([...this.#beforePrompt].map(async (prepare) => prepare())).then(() => {});
  }

  #take(event: SessionEvent): void {
    if (event.type !== 'whole_message' && event.type !== 'whole_thought') return this.apply(event);
    for (const piece of this.#transcript.piecesOf(event)) this.apply(piece);
  }

  /** A turn of which something could not be kept must not end as if it were whole. */
  #whole(what: string, take: () => void): void {
    try {
      take();
    } catch (cause) {
      const why = cause instanceof Error ? cause.message : String(cause);
      const words = `What the agent sent (${what}) could not be kept, so the answer would not be whole; the turn was cancelled (${why}).`;
      const error = cause instanceof UpdateError ? cause : new UpdateError('update_failed', words, { cause });
      if (!this.#turns.break(error)) throw error;
    }
  }

  /** Where the mode is one of the options, it is the mode of the session nonetheless. */
  #applyModes(options: SessionSettings['options'] = []): void {
    const modes = this.connection.facts.modeIsOption ? modesFromOptions(options) : undefined;
    if (modes) this.apply({ type: 'modes', ...modes });
  }

  /** Somebody else's turn may run in it. The end of a turn may arrive before the answer that says it runs. */
  #applyTold(): void {
    const told = this.#told?.state;
    if (told?.turnId !== undefined && told.turnId === this.#endedTurn) return;
    if (told && !this.turn && this.state !== 'lost' && this.state !== told.state) this.apply(told);
  }

  async #close(meta: Meta | undefined): Promise<void> {
    const stopped = this.#turns.cancel();
    try {
      await this.connection.closeSession(this, meta);
    } finally {
      this.#turns.fail(new UsageError('session_closed', 'The session was closed.'));
      await stopped;
      this.#emitter.emit('closed', undefined);
    }
  }
}
