import type { AvailableCommand, McpServer, SessionConfigOption, SessionEvent } from '@parley/protocol';
import type { SessionLog, SessionRecord } from '@parley/store';
import type { AgentDefinition } from './definition.ts';
import type { AgentDiagnostic } from './diagnostics.ts';
import { LogFailedError } from './errors.ts';
import { isPassing, readHistory, type TurnEnd, turnEnd, turnStart } from './history.ts';
import { ownEvent } from './own-event.ts';
import { withAbsolutePaths } from './paths.ts';
import { CommitFirstPipe } from './pipe/commit-first.ts';
import type { EventPipe } from './pipe/event-pipe.ts';
import { PublishFirstPipe } from './pipe/publish-first.ts';
import { titleOf } from './prompt-text.ts';
import { replay, showCommands } from './replay.ts';
import { runTurn, type TurnOutcome } from './run-turn.ts';
import { RunningSlot } from './running-slot.ts';
import type { Prompt, RunningTurn } from './running-turn.ts';
import { SavedState } from './saved-state.ts';
import type { Session } from './session.ts';
import { SessionSettings, type SettingChange } from './session-settings.ts';
import { MODE_OPTION_ID, type OptionValue } from './settings.ts';
import type { Setup } from './setup.ts';
import { SharedLog } from './shared-log.ts';
import { Viewers } from './viewers.ts';
import type { Wire } from './wire/wire.ts';

export interface LiveSessionOptions {
  readonly definition: AgentDefinition;
  readonly log: SessionLog;
  readonly record: SessionRecord;
  readonly setup: Setup;
}

/** A session while at least one client has it open. */
export class LiveSession implements Session {
  readonly id: string;
  readonly principal: string;
  readonly definition: AgentDefinition;
  readonly state: Record<string, unknown>;
  readonly viewers: Viewers;
  /** Undefined when the log is this process's own. */
  readonly shared: SharedLog | undefined;
  setup: Setup;
  /** No client has it open any more; what runs is coming to its end. */
  isClosed = false;
  #isOver = false;
  readonly #log: SessionLog;
  readonly #pipe: EventPipe<Wire>;
  readonly #saved: SavedState;
  readonly #settings: SessionSettings;
  #commands: readonly AvailableCommand[];
  #title: string | null;
  readonly #running: RunningSlot;

  constructor(options: LiveSessionOptions) {
    const { definition, log, record } = options;
    const { limits } = definition;
    this.#log = log;
    this.definition = definition;
    this.id = record.id;
    this.principal = record.principal;
    this.setup = options.setup;
    this.#title = record.title;
    this.#commands = definition.commands;
    this.#running = new RunningSlot(record.id);
    this.viewers = new Viewers(record.id, limits.maxWaitingEvents);
    this.#saved = new SavedState(log, record);
    this.state = this.#saved.state;
    this.#settings = new SessionSettings(definition, this.#saved.settings);
    // Only a store of the author's choice outlives this process, and is shared with others; what is in it must not be
    // shown before it is safe.
    const shared = definition.store && this.#share(log, record);
    this.shared = shared;
    this.#pipe = new (shared ? CommitFirstPipe : PublishFirstPipe)<Wire>({
      append: (events) => shared?.append(events) ?? log.append(record.id, events),
      publish: (event, except) => this.viewers.show(event, except),
      onFailure: (error) => this.#logFailed(error),
      head: () => shared?.head ?? record.head,
      limits,
    });
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

  get title(): string | null {
    return this.#title;
  }

  get isRunning(): boolean {
    return this.#running.turn !== undefined;
  }

  get mode(): string | undefined {
    return this.#settings.current.modeId;
  }

  get options(): Readonly<Record<string, OptionValue>> {
    return this.#settings.current.values;
  }

  get commands(): readonly AvailableCommand[] {
    return this.#commands;
  }

  get configOptions(): SessionConfigOption[] {
    return this.#settings.configOptions;
  }

  async *history(): AsyncGenerator<SessionEvent> {
    const upTo = await this.#pipe.cut();
    yield* readHistory({ log: this.#log, sessionId: this.id, upTo });
  }

  update(event: SessionEvent): void | Promise<void> {
    if (this.#isOver)
      return this.report({
        kind: 'session_over',
        message: `Dropped an update (${event.type}): its session is closed.`,
      });
    switch (event.type) {
      case 'message_chunk':
      case 'thought_chunk':
        return this.#pipe.push(event);
      case 'tool_call':
        return this.#pipe.push(withAbsolutePaths(event, this.cwd));
      case 'mode':
        return this.setMode(event.modeId);
      case 'config':
        return this.#change(...event.options.map(({ id, currentValue: value }) => ({ id, value })));
      case 'commands': {
        const said = ownEvent(event, this.definition.limits.maxUpdateBytes);
        this.#commands = said.commands;
        return this.#pipe.pass(said);
      }
      case 'info':
        if (event.title !== undefined) this.#saveTitle(event.title);
        break;
    }
    return isPassing(event) ? this.#pipe.pass(event) : this.#pipe.push(event);
  }

  setMode(modeId: string): void {
    this.setOption(MODE_OPTION_ID, modeId);
  }

  setOption(id: string, value: OptionValue): void {
    this.#settings.require({ id, value });
    this.#change({ id, value });
  }

  setTitle(title: string | null): void {
    void this.update({ type: 'info', title });
  }

  setCommands(commands: readonly AvailableCommand[]): void {
    void this.update({ type: 'commands', commands });
  }

  takesSetting(change: SettingChange): boolean {
    return this.#settings.takes(change);
  }

  /** What is asked of a client must come after what it was told: a permission after its tool call, for one. */
  whenShown(): Promise<void> | undefined {
    return this.#pipe.shown();
  }

  /** Everything said so far is in the log and shown, and what belongs to the session is saved. */
  async settle(): Promise<void> {
    await this.#pipe.cut();
    try {
      await this.#saved.save({ settings: this.#settings.current });
    } catch (error) {
      this.report({ kind: 'log_failed', message: 'session.state could not be saved; keep to JSON values.', error });
    }
  }

  /** Runs one prompt of a client to its end, and begins before it first waits. */
  prompt(
    prompt: Prompt,
    { wire, signal }: { readonly wire: Wire; readonly signal: AbortSignal },
  ): Promise<TurnOutcome> {
    return runTurn({ definition: this.definition, session: this, wire, prompt, signal });
  }

  /** Makes a change outside of turns, while no other process works in the session. */
  async change(make: () => void): Promise<void> {
    await this.shared?.hold();
    try {
      make();
      await this.settle();
    } finally {
      await this.shared?.letGo();
    }
  }

  /** Makes `turn` the one that runs; refuses a second. Returns what must be called when it has ended. */
  begin(turn: RunningTurn): () => void {
    return this.#running.take(turn);
  }

  recordStart(turn: RunningTurn): void {
    this.#pipe.record(turnStart(turn.id, turn.meta));
    // The client that sent the prompt knows what it said; the others hear it now, and all of them when they load.
    for (const content of turn.content) {
      void this.#pipe.push(
        { type: 'message_chunk', speaker: 'user', messageId: `prompt-${turn.id}`, content },
        turn.wire,
      );
    }
    if (this.#title === null) this.#saveTitle(titleOf(turn.content) ?? null);
  }

  recordEnd(end: TurnEnd): void {
    this.#pipe.record(turnEnd(end));
  }

  cancel(): void {
    this.#running.turn?.cancel();
  }

  /** Shows a client the whole conversation, and makes it one of those who see what happens. */
  replayTo(wire: Wire, signal: AbortSignal): Promise<void> {
    const { viewers, shared, id: sessionId } = this;
    const facts = { isRunning: () => this.isRunning, commands: () => this.#commands };
    return replay({ ...facts, sessionId, log: this.#log, shared, pipe: this.#pipe, viewers, wire, signal });
  }

  showCommands(wire: Wire): void {
    showCommands(wire, this.id, this.#commands);
  }

  /** After this the session takes nothing more, whoever still holds it. */
  async end(): Promise<void> {
    await this.settle();
    this.#isOver = true;
  }

  /** Cancels what runs and waits for its end. */
  async stop(): Promise<void> {
    this.cancel();
    await this.#running.ended;
  }

  report(diagnostic: Omit<AgentDiagnostic, 'sessionId'>): void {
    this.definition.report({ ...diagnostic, sessionId: this.id });
  }

  #share(log: SessionLog, record: SessionRecord): SharedLog {
    return new SharedLog({
      log,
      record,
      leaseMs: this.definition.limits.leaseMs,
      onForeignEvent: (event) => this.viewers.show(event),
      onOwned: (current) => {
        this.#title = current.title;
        if (this.#saved.refresh(current)) this.#settings.refresh(current.metadata.settings);
      },
      onLost: (error) => this.#logFailed(error),
      onStuck: (error) =>
        this.report({ kind: 'log_failed', message: 'A session could not be given back; it is free later.', error }),
    });
  }

  #change(...changes: readonly SettingChange[]): void {
    for (const event of this.#settings.change(...changes)) void this.#pipe.push(event);
    if (!this.isRunning) this.#keep(this.#saved.save({ settings: this.#settings.current }));
  }

  #saveTitle(title: string | null): void {
    this.#title = title;
    this.#keep(this.#log.update(this.id, { title }));
  }

  #keep(saving: Promise<unknown>): void {
    saving.catch((error: unknown) =>
      this.report({ kind: 'log_failed', message: 'A session could not be saved.', error }),
    );
  }

  #logFailed(error: unknown): void {
    this.report({ kind: 'log_failed', message: 'The session log could not be written; the turn ends.', error });
    this.#running.turn?.abort(new LogFailedError(error));
  }
}
