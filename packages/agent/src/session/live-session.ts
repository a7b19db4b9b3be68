import type { AvailableCommand, McpServer } from '@parley/protocol';
import { type Answer, type LogEntry, type SessionEvent, stateOf, writeEntry } from '@parley/session';
import type { SharedLog } from '@parley/session/log';
import type { SessionLog, SessionRecord } from '@parley/store';
import { isRecordedActivity, type SessionActivity } from '../contract/activity.ts';
import type { ClientPeer } from '../contract/client-peer.ts';
import type { AgentDefinition } from '../contract/definition.ts';
import type { NewQuestion } from '../contract/session.ts';
import type { OptionValue, OwnSettings } from '../contract/settings.ts';
import type { AcpServer, Setup, SystemPrompt } from '../contract/setup.ts';
import type { AgentDiagnostic } from '../diagnostics.ts';
import { AgentDefinitionError, LogFailedError } from '../errors.ts';
import { showCommands } from '../log/replay.ts';
import { SessionStream } from '../log/stream.ts';
import { Questions } from '../questions/questions.ts';
import { BoundClient } from '../turn/bound-client.ts';
import type { Viewers } from '../viewers/viewers.ts';
import { actOnInput } from './act-on-input.ts';
import { askSession } from './ask.ts';
import { ChildUpdates } from './child-updates.ts';
import { SessionFacts } from './facts.ts';
import { followEntry } from './follow-entry.ts';
import type { OwnedSession } from './owned-session.ts';
import { OwnerRequests } from './owner-requests.ts';
import { reserveSession } from './reserve-session.ts';
import { SessionEvents } from './session-events.ts';
import type { SessionSettings } from './session-settings.ts';
import { MODE_OPTION_ID } from './settings.ts';
import { SessionTurns } from './turns.ts';

export interface LiveSessionOptions {
  readonly definition: AgentDefinition;
  readonly log: SessionLog;
  /** Whether other processes may have the session open too. */
  readonly isShared: boolean;
  readonly record: SessionRecord;
  readonly setup: Setup;
}

/** A session while at least one client has it open, or a turn of it runs. */
export class LiveSession implements OwnedSession {
  readonly id: string;
  readonly principal: string;
  readonly definition: AgentDefinition;
  readonly log: SessionLog;
  readonly questions: Questions;
  readonly turns: SessionTurns;
  readonly client: BoundClient;
  /** What is asked of other processes; undefined when no other process can have the session. */
  readonly requests: OwnerRequests | undefined;
  setup: Setup;
  /** No client has it open any more; what runs is coming to its end. */
  isClosed = false;
  #isOver = false;
  readonly #children = new ChildUpdates(this);
  readonly #ending = new AbortController();
  readonly #facts: SessionFacts;
  readonly #stream: SessionStream;
  readonly #events: SessionEvents;

  constructor({ definition, log, isShared, record, setup }: LiveSessionOptions) {
    this.definition = definition;
    this.log = log;
    this.id = record.id;
    this.principal = record.principal;
    this.setup = setup;
    const onFault = (error: unknown): void =>
      this.report({ kind: 'log_failed', message: 'A session could not be saved.', error });
    const facts = new SessionFacts({ definition, log, record, onFault });
    this.#facts = facts;
    this.#stream = new SessionStream({
      definition,
      log,
      isShared,
      record,
      running: () => this.turns.running?.id,
      commands: () => this.commands,
      onEntry: (written) =>
        followEntry({ requests: this.requests, turns: this.turns, questions: this.questions, facts }, written),
      onInput: (waiting) => void actOnInput(this, waiting),
      onOwned: (current) => facts.refresh(current),
      onInterruption: (settings) => facts.inherit(settings),
      onFailure: (error) => this.#logFailed(error),
      onViewerGone: (peer) => this.questions.leave(peer),
      isFor: (peer, turnId) => this.#isFor(peer, turnId),
    });
    this.#events = new SessionEvents({
      pipe: () => this.#stream.pipe,
      facts,
      cwd: () => this.cwd,
      running: () => this.turns.running,
      isRelay: definition.isRelay,
    });
    this.client = new BoundClient({
      peer: () => this.viewers.peerFor(this.turns.running?.asker),
      sessionId: record.id,
      cwd: setup.cwd,
      signal: this.#ending.signal,
      whenShown: () => this.whenSeen(this.viewers.peerFor(this.turns.running?.asker)),
    });
    this.requests = this.#stream.shared && new OwnerRequests(this.#stream.shared);
    this.turns = new SessionTurns({
      session: this,
      shared: this.#stream.shared,
      hasEnded: (process) => log.hasEnded(process),
      record: (entry) => this.record(entry),
      showPrompt: (events, turn) => this.#events.showPrompt(events, turn),
      showMessage: (events) => this.#events.showMessage(events),
    });
    this.questions = new Questions({
      sessionId: record.id,
      record: (entry) => this.record(entry),
      peers: (turnId) => this.viewers.peers.filter((peer) => this.#isFor(peer, turnId)),
      whenSeen: (peer) => this.whenSeen(peer),
      shared: this.#stream.shared,
      onFault,
      onAnswered: (notice, by) => {
        if (this.viewers.peers.length > 1) void this.#stream.pipe.pass(notice, by);
      },
    });
  }

  get viewers(): Viewers {
    return this.#stream.viewers;
  }

  /** Undefined when the log is this process's own. */
  get shared(): SharedLog | undefined {
    return this.#stream.shared;
  }

  get cwd(): string {
    return this.setup.cwd;
  }

  get roots(): readonly string[] {
    return [this.setup.cwd, ...this.setup.additionalDirectories];
  }

  get mcpServers(): readonly McpServer[] {
    return this.setup.mcpServers;
  }

  get acpServers(): readonly AcpServer[] {
    return this.setup.acpServers ?? [];
  }

  get systemPrompt(): SystemPrompt | undefined {
    return this.setup.systemPrompt;
  }

  get title(): string | null {
    return this.#facts.title;
  }

  get state(): Record<string, unknown> {
    return this.#facts.state;
  }

  get isRunning(): boolean {
    return this.turns.running !== undefined;
  }

  get mode(): string | undefined {
    return this.settings.current.modeId;
  }

  get options(): Readonly<Record<string, OptionValue>> {
    return this.settings.current.values;
  }

  get commands(): readonly AvailableCommand[] {
    return this.#facts.commands;
  }

  get settings(): SessionSettings {
    return this.#facts.settings;
  }

  history(): AsyncIterable<SessionEvent> {
    return this.#stream.history();
  }

  update(event: SessionEvent): void | Promise<void> {
    if (this.#isOver)
      return this.report({
        kind: 'session_over',
        message: `Dropped an update (${event.type}): its session is closed.`,
      });
    return this.#events.take(event);
  }

  updateChild(childId: string, event: SessionEvent): void {
    if (!this.#isOver) this.#children.tell(childId, event);
  }

  setMode(modeId: string): void {
    this.setOption(MODE_OPTION_ID, modeId);
  }

  setOption(id: string, value: OptionValue): void {
    this.#events.set({ id, value });
  }

  setTitle(title: string | null): void {
    void this.update({ type: 'info', title });
  }

  setCommands(commands: readonly AvailableCommand[]): void {
    void this.update({ type: 'commands', commands });
  }

  setSettings(settings: OwnSettings): void {
    if (!this.definition.hasOwnSettings)
      throw new AgentDefinitionError('Sessions have settings of their own with agent({ sessionSettings: true }).');
    this.#events.own(settings);
  }

  ask(question: NewQuestion, { signal }: { readonly signal?: AbortSignal } = {}): Promise<Answer> {
    return askSession(this, question, signal);
  }

  save(): Promise<void> {
    return this.#facts.save();
  }

  whenShown(): Promise<void> | undefined {
    return this.#stream.pipe.shown();
  }

  whenSeen(peer: ClientPeer): Promise<void> | undefined {
    const shown = this.whenShown();
    return shown ? shown.then(() => this.viewers.whenLevel(peer)) : this.viewers.whenLevel(peer);
  }

  async settle(): Promise<void> {
    await this.#stream.pipe.cut();
    const message = 'session.state could not be saved; keep to JSON values.';
    await this.#facts.save().catch((error: unknown) => this.report({ kind: 'log_failed', message, error }));
  }

  hold(): Promise<unknown> | undefined {
    return this.shared?.hold();
  }

  release(): Promise<void> {
    return this.#stream.release();
  }

  reserve(): Promise<AsyncDisposable | undefined> {
    return reserveSession(this.shared);
  }

  /** Logs what has happened beside the events; viewers see of it what there is to see. */
  record(entry: LogEntry): void {
    this.#stream.pipe.record(writeEntry(entry), stateOf(entry));
    if (isRecordedActivity(entry)) this.tell({ kind: 'recorded', entry });
  }

  tell(activity: SessionActivity): void {
    this.definition.activity.tell({ ...activity, principal: this.principal, sessionId: this.id });
  }

  /** Shows a client the conversation after a cursor, and makes it one of those who see what happens. */
  replayTo(peer: ClientPeer, options: { readonly signal: AbortSignal; readonly after?: number }): Promise<void> {
    return this.#stream.replayTo(peer, options);
  }

  /** From now on events have their numbers when they are shown, for a client that wants to go on from one. */
  numberEvents(): Promise<void> {
    return this.#stream.numberEvents();
  }

  showCommands(peer: ClientPeer): void {
    showCommands(peer, this.id, this.commands);
  }

  /** After this the session takes nothing more, whoever still holds it. */
  async close(): Promise<void> {
    await Promise.all([this.settle(), this.#stream.whenTrimmed()]);
    this.turns.close();
    this.#isOver = true;
    void this.client.releaseTerminals();
    this.#ending.abort();
  }

  report(diagnostic: Omit<AgentDiagnostic, 'sessionId'>): void {
    this.definition.report({ ...diagnostic, sessionId: this.id });
  }

  /** Whether a client is told of a turn, and asked what the turn asks. */
  #isFor(peer: ClientPeer, turnId: string | undefined): boolean {
    return !peer.offers.ownTurnsOnly || !this.shared || (turnId !== undefined && this.turns.isFor(peer, turnId));
  }

  #logFailed(error: unknown): void {
    this.report({ kind: 'log_failed', message: 'The session log could not be written; the turn ends.', error });
    this.turns.running?.abort(new LogFailedError(error));
  }
}
