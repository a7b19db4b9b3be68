import { ParleyError } from '@parley/jsonrpc';
import type { AvailableCommand, SessionConfigOption, SessionMode } from '@parley/protocol';
import type { ConfigEvent, ModeEvent, SessionEvent } from '@parley/session';
import type { OptionValue, OwnSettings, SettingDefinitions, Settings } from '../contract/settings.ts';
import { changeOwnSettings, optionsWithMode, readOwnSettings, settingsOf } from './own-settings.ts';
import { applySetting, createSettings, MODE_OPTION_ID, toConfigOptions } from './settings.ts';

export interface SettingChange {
  /** The option, or `mode`. */
  readonly id: string;
  readonly value: OptionValue;
}

/**
 * What is set in one session, kept in step: the modes are also an option, and clients hear of both. A session with settings of its
 * own tells them as they stand.
 */
export class SessionSettings {
  readonly #definitions: SettingDefinitions;
  #current: Settings;

  constructor(definitions: SettingDefinitions, stored: unknown) {
    this.#definitions = definitions;
    this.#current = readSettings(definitions, stored);
  }

  get current(): Settings {
    return this.#current;
  }

  /** Sets what was stored by another process. */
  refresh(stored: unknown): void {
    this.#current = readSettings(this.#definitions, stored);
  }

  /** Sets what another process has set, as it tells its clients; false when the event is about something else. */
  follow(event: SessionEvent): boolean {
    if (event.type !== 'mode' && event.type !== 'config') return false;
    if (this.#current.own) this.tell(event);
    else if (event.type === 'mode') this.#apply([{ id: MODE_OPTION_ID, value: event.modeId }]);
    else this.#apply(toChanges(event));
    return true;
  }

  /** The complete list, as clients see it. */
  get configOptions(): SessionConfigOption[] {
    const { own } = this.#current;
    return own ? [...(own.options ?? [])] : toConfigOptions(this.#definitions, this.#current);
  }

  /** As `configOptions`, with the modes among them in any case. */
  get optionsWithMode(): SessionConfigOption[] {
    const { own } = this.#current;
    return (own && optionsWithMode(own)) ?? this.configOptions;
  }

  /** The modes that the session can be put into. */
  get modes(): readonly SessionMode[] {
    const { own } = this.#current;
    if (own) return own.modes ?? [];
    return this.#definitions.modes.map(({ id, name, description }) => ({
      id,
      name,
      ...(description !== undefined && { description }),
    }));
  }

  /** Whether there is such a mode, option and value. */
  takes(change: SettingChange): boolean {
    return this.#changed(change) !== undefined;
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
    if (this.#current.own) return this.#tellOwn(before.own);
    const { modeId } = this.#current;
    const config: SessionEvent = { type: 'config', options: this.configOptions };
    return modeId === undefined || modeId === before.modeId ? [config] : [{ type: 'mode', modeId }, config];
  }

  /** Gives the session settings of its own, and gives back what clients are to hear who know the ones before. */
  own(own: OwnSettings): SessionEvent[] {
    const before = this.#current.own;
    this.#current = settingsOf(own);
    return before ? this.#tellOwn(before) : [];
  }

  ownCommands(commands: readonly AvailableCommand[]): void {
    const { own } = this.#current;
    if (own) this.#current = settingsOf({ ...own, commands });
  }

  /** Takes what is told of settings that are the session's own; undefined when clients know it already. */
  tell(event: ModeEvent | ConfigEvent): SessionEvent | undefined {
    const { own = {} } = this.#current;
    const isPlain = event.meta === undefined && event.extra === undefined;
    if (event.type === 'mode') {
      if (isPlain && own.mode === event.modeId) return undefined;
      this.#current = settingsOf({ ...own, mode: event.modeId });
    } else {
      if (isPlain && JSON.stringify(own.options ?? []) === JSON.stringify(event.options)) return undefined;
      this.#current = settingsOf({ ...own, options: event.options });
    }
    return { ...event, ...this.#whole() };
  }

  #tellOwn(before: OwnSettings | undefined): SessionEvent[] {
    const { own = {} } = this.#current;
    const hasOptions = JSON.stringify(own.options ?? []) !== JSON.stringify(before?.options ?? []);
    return [
      ...(own.mode !== undefined && own.mode !== before?.mode
        ? [{ type: 'mode' as const, modeId: own.mode, ...this.#whole() }]
        : []),
      ...(hasOptions ? [{ type: 'config' as const, options: own.options ?? [], ...this.#whole() }] : []),
    ];
  }

  #whole(): { readonly whole?: readonly SessionConfigOption[] } {
    const { own } = this.#current;
    const whole = own && optionsWithMode(own);
    return whole ? { whole } : {};
  }

  #changed(change: SettingChange): Settings | undefined {
    const { own } = this.#current;
    if (!own) return applySetting(this.#definitions, this.#current, change);
    const changed = changeOwnSettings(own, change);
    return changed && settingsOf(changed);
  }

  #apply(changes: readonly SettingChange[]): void {
    for (const each of changes) this.#current = this.#changed(each) ?? this.#current;
  }
}

/** The settings that a session had before, its own where it may have some. */
function readSettings(definitions: SettingDefinitions, stored: unknown): Settings {
  const own = definitions.hasOwnSettings ? readOwnSettings(stored) : undefined;
  return own ? settingsOf(own) : createSettings(definitions, stored);
}

export function toChanges({ options }: ConfigEvent): SettingChange[] {
  return options.map(({ id, currentValue: value }) => ({ id, value }));
}
