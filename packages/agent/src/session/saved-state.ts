import type { SessionLog, SessionRecord } from '@parley/store';
import type { Settings } from '../contract/settings.ts';

/** What is kept with a session beside its events: its settings and the agent's own data. */
export class SavedState {
  readonly state: Record<string, unknown>;
  /** The settings as they were stored; nothing about their shape is certain. */
  readonly settings: unknown;
  readonly #log: SessionLog;
  readonly #sessionId: string;
  readonly #rest: Readonly<Record<string, unknown>>;
  #lastSettings: string;
  #lastState: string;

  constructor(log: SessionLog, record: SessionRecord) {
    const { settings, state, ...rest } = record.metadata;
    this.#log = log;
    this.#sessionId = record.id;
    this.#rest = rest;
    this.settings = settings;
    this.state = typeof state === 'object' && state !== null ? { ...state } : {};
    this.#lastSettings = toJson(settings);
    this.#lastState = toJson(this.state);
  }

  /** Writes only what has changed here. */
  async save(settings: Settings): Promise<void> {
    const [settingsBefore, stateBefore] = [this.#lastSettings, this.#lastState];
    const [settingsNow, stateNow] = [toJson(settings), toJson(this.state)];
    if (settingsNow === settingsBefore && stateNow === stateBefore) return;
    this.#lastSettings = settingsNow;
    this.#lastState = stateNow;
    try {
      await this.#log.update(this.#sessionId, { metadata: { ...this.#rest, settings, state: this.state } });
    } catch (error) {
      this.#lastSettings = settingsBefore;
      this.#lastState = stateBefore;
      throw error;
    }
  }

  /** Takes settings for saved: it is up to someone else to save them, or there is no need. */
  leave(settings: Settings): void {
    this.#lastSettings = toJson(settings);
  }

  /** Takes over what another process has saved meanwhile; false when the settings are as they were here. */
  refresh({ metadata }: SessionRecord): boolean {
    const { settings, state } = metadata;
    const stateNow = toJson(state ?? {});
    if (stateNow !== this.#lastState) {
      for (const key of Object.keys(this.state)) delete this.state[key];
      Object.assign(this.state, state);
      this.#lastState = stateNow;
    }
    const settingsNow = toJson(settings);
    const isChanged = settingsNow !== this.#lastSettings;
    this.#lastSettings = settingsNow;
    return isChanged;
  }
}

function toJson(value: unknown): string {
  return JSON.stringify(value) ?? '';
}
