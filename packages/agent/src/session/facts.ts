import type { AvailableCommand } from '@parley/protocol';
import type { SessionEvent } from '@parley/session';
import type { SessionLog, SessionRecord } from '@parley/store';
import type { AgentDefinition } from '../contract/definition.ts';
import { SavedState } from './saved-state.ts';
import { SessionSettings } from './session-settings.ts';

export interface SessionFactsOptions {
  readonly definition: AgentDefinition;
  readonly log: SessionLog;
  readonly record: SessionRecord;
  /** Something could not be saved that nobody waits for. */
  readonly onFault: (error: unknown) => void;
}

/** What holds of a session beside what was said in it, kept in step with the store and with other processes. */
export class SessionFacts {
  readonly settings: SessionSettings;
  readonly #options: SessionFactsOptions;
  readonly #saved: SavedState;
  #commands: readonly AvailableCommand[];
  #title: string | null;

  constructor(options: SessionFactsOptions) {
    const { definition, log, record } = options;
    this.#options = options;
    this.#saved = new SavedState(log, record);
    this.settings = new SessionSettings(definition, this.#saved.settings);
    // What this agent reads into them, such as a new option's default, is no change that must be saved.
    this.#saved.leave(this.settings.current);
    this.#commands = this.settings.current.own?.commands ?? definition.commands;
    this.#title = record.title;
  }

  /** The agent's own data. */
  get state(): Record<string, unknown> {
    return this.#saved.state;
  }

  get commands(): readonly AvailableCommand[] {
    return this.#commands;
  }

  set commands(commands: readonly AvailableCommand[]) {
    this.#commands = commands;
    this.settings.ownCommands(commands);
  }

  get title(): string | null {
    return this.#title;
  }

  saveTitle(title: string | null): void {
    const { log, record } = this.#options;
    this.#title = title;
    this.#keep(log.update(record.id, { title }));
  }

  /** Writes what has changed here; fails when the agent's own data is more than JSON can hold. */
  save(): Promise<void> {
    return this.#saved.save(this.settings.current);
  }

  saveLater(): void {
    this.#keep(this.save());
  }

  /** Another process has told this to its clients, and will save it. */
  follow(event: SessionEvent): void {
    if (event.type === 'info' && event.title !== undefined) this.#title = event.title;
    if (this.settings.follow(event)) this.#saved.leave(this.settings.current);
  }

  /** Takes what another process has saved meanwhile. */
  refresh(current: SessionRecord): void {
    this.#title = current.title;
    if (!this.#saved.refresh(current)) return;
    this.settings.refresh(current.metadata.settings);
    this.#saved.leave(this.settings.current);
  }

  /** Saves the settings that another process has made and, being lost, could not save. */
  inherit(events: readonly SessionEvent[]): void {
    for (const event of events) this.settings.follow(event);
    this.saveLater();
  }

  #keep(saving: Promise<unknown>): void {
    saving.catch((error: unknown) => this.#options.onFault(error));
  }
}
