import { ParleyError } from '@parley/jsonrpc';
import type { SessionConfigOption } from '@parley/protocol';
import type { ConfigEvent, SessionEvent } from '@parley/session';
import {
  applySetting,
  createSettings,
  MODE_OPTION_ID,
  type OptionValue,
  type SettingDefinitions,
  type Settings,
  toConfigOptions,
} from './settings.ts';

export interface SettingChange {
  /** The option, or `mode`. */
  readonly id: string;
  readonly value: OptionValue;
}

/** What is set in one session, kept in step: the modes are also an option, and clients hear of both. */
export class SessionSettings {
  readonly #definitions: SettingDefinitions;
  #current: Settings;

  constructor(definitions: SettingDefinitions, stored: unknown) {
    this.#definitions = definitions;
    this.#current = createSettings(definitions, stored);
  }

  get current(): Settings {
    return this.#current;
  }

  /** Sets what was stored by another process. */
  refresh(stored: unknown): void {
    this.#current = createSettings(this.#definitions, stored);
  }

  /** Sets what another process has set, as it tells its clients; false when the event is about something else. */
  follow(event: SessionEvent): boolean {
    if (event.type === 'mode') this.#apply([{ id: MODE_OPTION_ID, value: event.modeId }]);
    else if (event.type === 'config') this.#apply(toChanges(event));
    else return false;
    return true;
  }

  /** The complete list, as clients see it. */
  get configOptions(): SessionConfigOption[] {
    return toConfigOptions(this.#definitions, this.#current);
  }

  /** Whether there is such a mode, option and value. */
  takes(change: SettingChange): boolean {
    return applySetting(this.#definitions, this.#current, change) !== undefined;
  }

  /** Refuses what is not there. */
  require({ id, value }: SettingChange): void {
    if (this.takes({ id, value })) return;
    const what = id === MODE_OPTION_ID ? `mode "${value}"` : `option "${id}" with the value ${JSON.stringify(value)}`;
    throw new ParleyError('unknown_setting', `This agent has no ${what}; register it before it serves.`);
  }

  /** Makes the changes that can be made, and gives back what clients are to hear. */
  change(...changes: readonly SettingChange[]): SessionEvent[] {
    const before = this.#current;
    this.#apply(changes);
    const { modeId } = this.#current;
    const config: SessionEvent = { type: 'config', options: this.configOptions };
    return modeId === undefined || modeId === before.modeId ? [config] : [{ type: 'mode', modeId }, config];
  }

  #apply(changes: readonly SettingChange[]): void {
    for (const each of changes) this.#current = applySetting(this.#definitions, this.#current, each) ?? this.#current;
  }
}

export function toChanges({ options }: ConfigEvent): SettingChange[] {
  return options.map(({ id, currentValue: value }) => ({ id, value }));
}
