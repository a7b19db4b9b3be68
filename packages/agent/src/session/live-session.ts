import { cloneJson } from '@parley/jsonrpc';
import type { AvailableCommand, McpServer, SessionConfigOption } from '@parley/protocol';
import type { SessionEvent } from '@parley/session';
import type { SessionLog, SessionRecord } from '@parley/store';
import type { AgentDefinition } from '../definition.ts';
import type { AgentDiagnostic } from '../diagnostics.ts';
import { LogFailedError } from '../errors.ts';
import { isPassing, type TurnEnd, turnEnd, turnStart } from '../log/history.ts';
import { showCommands } from '../log/replay.ts';
import type { SharedLog } from '../log/shared-log.ts';
import { SessionStream } from '../log/stream.ts';
import type { Wire } from '../peer/client-peer.ts';
import { withAbsolutePaths } from '../turn/paths.ts';
import { titleOf } from '../turn/prompt-text.ts';
import { runTurn, type TurnOutcome } from '../turn/run-turn.ts';
import { RunningSlot } from '../turn/running-slot.ts';
import type { Prompt, RunningTurn } from '../turn/running-turn.ts';
import type { Viewers } from '../viewers/viewers.ts';
import { SessionFacts } from './facts.ts';
import type { Session } from './session.ts';
import { type SettingChange, toChanges } from './session-settings.ts';
import { MODE_OPTION_ID, type OptionValue } from './settings.ts';
import type { AcpServer, Setup, SystemPrompt } from './setup.ts';

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
  setup: Setup;
  /** No client has it open any more; what runs is coming to its end. */
  isClosed = false;
  #isOver = false;
  readonly #facts: SessionFacts;
  readonly #stream: SessionStream;
  readonly #running: RunningSlot;

  constructor(options: LiveSessionOptions) {
    const { definition, log, record } = options;
    this.definition = definition;
    this.id = record.id;
    this.principal = record.principal;
    this.setup = options.setup;
    this.#running = new RunningSlot(record.id);
    const facts = new SessionFacts({
      definition,
      log,
      record,
      onFault: (error) => this.report({ kind: 'log_failed', message: 'A session could not be saved.', error }),
    });
    this.#facts = facts;
    this.#stream = new SessionStream({
      definition,
      log,
      record,
      isRunning: () => this.isRunning,
      commands: () => this.commands,
      onForeignEvent: (event) => facts.follow(event),
      onOwned: (current) => facts.refresh(current),
      onInterruption: (settings) => facts.inherit(settings),
      onFailure: (error) => this.#logFailed(error),
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
    return this.#running.turn !== undefined;
  }

  get mode(): string | undefined {
    return this.#facts.settings.current.modeId;
  }

  get options(): Readonly<Record<string, OptionValue>> {
    return this.#facts.settings.current.values;
  }

  get commands(): readonly AvailableCommand[] {
    return this.#facts.commands;
  }

  get configOptions(): SessionConfigOption[] {
    return this.#facts.settings.configOptions;
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
    switch (event.type) {
      case 'message_chunk':
      case 'thought_chunk':
        return this.#stream.pipe.push(event);
      case 'tool_call':
        return this.#stream.pipe.push(withAbsolutePaths(event, this.cwd));
      case 'mode':
        return this.setMode(event.modeId);
      case 'config':
        return this.#change(...toChanges(event));
      case 'plan': {
        const room = this.#stream.pipe.push(event);
        this.#running.turn?.seePlan(event);
        return room;
      }
      case 'commands': {
        const room = this.#stream.pipe.pass(event);
        this.#facts.commands = cloneJson(event.commands) as AvailableCommand[];
        return room;
      }
      case 'info':
        if (event.title !== undefined) this.#facts.saveTitle(event.title);
        break;
    }
    return isPassing(event) ? this.#stream.pipe.pass(event) : this.#stream.pipe.push(event);
  }

  setMode(modeId: string): void {
    this.setOption(MODE_OPTION_ID, modeId);
  }

  setOption(id: string, value: OptionValue): void {
    this.#facts.settings.require({ id, value });
    this.#change({ id, value });
  }

  setTitle(title: string | null): void {
    void this.update({ type: 'info', title });
  }

  setCommands(commands: readonly AvailableCommand[]): void {
    void this.update({ type: 'commands', commands });
  }

  takesSetting(change: SettingChange): boolean {
    return this.#facts.settings.takes(change);
  }

  /** What is asked of a client must come after what it was told: a permission after its tool call, for one. */
  whenShown(): Promise<void> | undefined {
    return this.#stream.pipe.shown();
  }

  /** As `whenShown`, for a client that may be behind the others. */
  whenSeen(wire: Wire): Promise<void> | undefined {
    const shown = this.whenShown();
    return shown ? shown.then(() => this.viewers.whenLevel(wire)) : this.viewers.whenLevel(wire);
  }

  /** Everything said so far is in the log and shown, and what belongs to the session is saved. */
  async settle(): Promise<void> {
    await this.#stream.pipe.cut();
    try {
      await this.#facts.save();
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
    const finish = this.#running.take(turn);
    this.viewers.lead(turn.wire);
    return () => {
      this.viewers.lead(undefined);
      finish();
    };
  }

  recordStart(turn: RunningTurn): void {
    this.#stream.pipe.record(turnStart(turn.id, turn.meta));
    // The client that sent the prompt knows what it said; the others hear it now, and all of them when they load.
    for (const content of turn.content) {
      void this.#stream.pipe.push(
        { type: 'message_chunk', speaker: 'user', messageId: `prompt-${turn.id}`, content },
        turn.wire,
      );
    }
    if (this.title === null) this.#facts.saveTitle(titleOf(turn.content) ?? null);
  }

  recordEnd(end: TurnEnd): void {
    this.#stream.pipe.record(turnEnd(end));
  }

  cancel(): void {
    this.#running.turn?.cancel();
  }

  /** Shows a client the whole conversation, and makes it one of those who see what happens. */
  replayTo(wire: Wire, signal: AbortSignal): Promise<void> {
    return this.#stream.replayTo(wire, signal);
  }

  showCommands(wire: Wire): void {
    showCommands(wire, this.id, this.commands);
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

  #change(...changes: readonly SettingChange[]): void {
    for (const event of this.#facts.settings.change(...changes)) void this.#stream.pipe.push(event);
    if (!this.isRunning) this.#facts.saveLater();
  }

  #logFailed(error: unknown): void {
    this.report({ kind: 'log_failed', message: 'The session log could not be written; the turn ends.', error });
    this.#running.turn?.abort(new LogFailedError(error));
  }
}
