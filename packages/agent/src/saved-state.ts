import type { SessionLog, SessionRecord } from '@parley/store';
import type { Settings } from './settings.ts';

/** What is kept with a session beside its events: its settings and the agent's own data. */
export class SavedState {
  readonly state: Record<string, unknown>;
  /** The settings as they were stored; nothing about their shape is certain. */
  readonly settings: unknown;
  readonly #log: SessionLog;
  readonly #sessionId: string;
  readonly #rest: Readonly<Record<string, unknown>>;
  #lastSaved: string;

  constructor(log: SessionLog, record: SessionRecord) {
    const { settings, state, ...rest } = record.metadata;
    this.#log = log;
    this.#sessionId = record.id;
    this.#rest = rest;
    this.settings = settings;
    this.state = typeof state === 'object' && state !== null ? { ...state } : {};
    this.#lastSaved = JSON.stringify({ settings, state: this.state });
  }

  /** Writes only what has changed. */
  async save({ settings }: { readonly settings: Settings }): Promise<void> {
    const metadata = { settings, state: this.state };
    const json = JSON.stringify(metadata);
    const before = this.#lastSaved;
    if (json === before) return;
    this.#lastSaved = json;
    try {
      await this.#log.update(this.#sessionId, { metadata: { ...this.#rest, ...metadata } });
    } catch (error) {
      this.#lastSaved = before;
      throw error;
    }
  }

  /** Takes over what another process has saved meanwhile; false when there is nothing of that kind. */
  refresh({ metadata }: SessionRecord): boolean {
    const { settings, state } = metadata;
    const json = JSON.stringify({ settings, state });
    if (json === this.#lastSaved) return false;
    this.#lastSaved = json;
    for (const key of Object.keys(this.state)) delete this.state[key];
    Object.assign(this.state, state);
    return true;
  }
}
