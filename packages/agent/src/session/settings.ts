import type { SessionConfigOption, SessionConfigSelectGroup, SessionConfigSelectOption } from '@parley/protocol';
import type {
  OptionDefinition,
  OptionValue,
  SelectDefinition,
  SettingDefinitions,
  Settings,
} from '../contract/settings.ts';

/** The option under which the modes appear for clients that look at options only. */
export const MODE_OPTION_ID = 'mode';

/** The settings a session begins with, or had before as far as they still exist. */
export function createSettings(definitions: SettingDefinitions, stored?: unknown): Settings {
  const before = readStored(stored);
  const modeId = definitions.modes.some(({ id }) => id === before.modeId) ? before.modeId : definitions.modes[0]?.id;
  const values: Record<string, OptionValue> = {};
  for (const option of definitions.options) {
    const value = before.values[option.id];
    values[option.id] = value !== undefined && takesValue(option, value, values) ? value : defaultOf(option);
  }
  return { modeId, values };
}

/** The settings with one of them changed, or undefined when there is no such mode, option or value. */
export function applySetting(
  definitions: SettingDefinitions,
  settings: Settings,
  change: { readonly id: string; readonly value: OptionValue },
): Settings | undefined {
  const { id, value } = change;
  if (id === MODE_OPTION_ID) {
    const mode = definitions.modes.find((each) => each.id === value);
    return mode && { ...settings, modeId: mode.id };
  }
  const option = definitions.options.find((each) => each.id === id);
  if (!option || !takesValue(option, value, settings.values)) return undefined;
  return { ...settings, values: withOffered(definitions, { ...settings.values, [id]: value }) };
}

/** What is not there any more beside another choice goes back to its default. */
function withOffered({ options }: SettingDefinitions, values: Settings['values']): Settings['values'] {
  const lost = options.filter((option) => {
    const value = values[option.id];
    return isSelect(option) && option.offered && value !== undefined && !takesValue(option, value, values);
  });
  if (lost.length === 0) return values;
  return { ...values, ...Object.fromEntries(lost.map((option) => [option.id, defaultOf(option)])) };
}

/** The option that `session/set_mode` sets: the modes, or one that can be set by its name. */
export function optionOfMode({ modes, options }: SettingDefinitions, modeId: string): string {
  if (modes.some(({ id }) => id === modeId)) return MODE_OPTION_ID;
  const option = options.find((each) => isSelect(each) && each.setByMode === true && takesValue(each, modeId, {}));
  return option?.id ?? MODE_OPTION_ID;
}

/** The complete list of options as clients see it, the modes among them. */
export function toConfigOptions(definitions: SettingDefinitions, settings: Settings): SessionConfigOption[] {
  const options = definitions.options.map((option) => toConfigOption(option, settings.values));
  const { modes } = definitions;
  if (modes.length === 0 || settings.modeId === undefined) return options;
  const mode: SessionConfigOption = {
    id: MODE_OPTION_ID,
    name: 'Mode',
    category: 'mode',
    type: 'select',
    currentValue: settings.modeId,
    options: modes.map(({ id, name, description }) => ({
      value: id,
      name,
      ...(description !== undefined && { description }),
    })),
  };
  return [mode, ...options];
}

function toConfigOption(option: OptionDefinition, values: Settings['values']): SessionConfigOption {
  const { id, name, description, category } = option;
  const facts = {
    id,
    name,
    ...(description !== undefined && { description }),
    ...(category !== undefined && { category }),
  };
  const value = values[id];
  if (!isSelect(option)) return { ...facts, type: 'boolean', currentValue: value === true };
  return { ...facts, type: 'select', currentValue: String(value), options: offeredOptions(option, values) };
}

/** The value that is chosen is among them in any case. */
function offeredOptions(option: SelectDefinition, values: Settings['values']): ReturnType<typeof toSelectOptions> {
  const all = toSelectOptions(option);
  const offered = option.offered?.(values);
  if (offered === undefined) return all;
  return all.filter(
    (each) => 'value' in each && (offered.includes(each.value) || each.value === values[option.id]),
  ) as SessionConfigSelectOption[];
}

function toSelectOptions({ values }: SelectDefinition): SessionConfigSelectOption[] | SessionConfigSelectGroup[] {
  const groups = values.filter(isGroup);
  if (groups.length > 0) return groups;
  return values.flatMap((value) => {
    if (typeof value === 'string') return [{ value, name: value }];
    return isGroup(value) ? [] : [value];
  });
}

/** Every value that a select takes. */
export function valuesOf(option: SelectDefinition): string[] {
  return toSelectOptions(option).flatMap((each) =>
    isGroup(each) ? each.options.map(({ value }) => value) : [each.value],
  );
}

export function isSelect(option: OptionDefinition): option is SelectDefinition {
  return 'values' in option;
}

function isGroup(
  value: string | SessionConfigSelectOption | SessionConfigSelectGroup,
): value is SessionConfigSelectGroup {
  return typeof value === 'object' && 'group' in value;
}

function takesValue(option: OptionDefinition, value: OptionValue, chosen: Settings['values']): boolean {
  if (!isSelect(option)) return typeof value === 'boolean';
  const isKnown = valuesOf(option).some((each) => each === value);
  return isKnown && (option.offered?.(chosen).includes(String(value)) ?? true);
}

function defaultOf(option: OptionDefinition): OptionValue {
  return option.default ?? (isSelect(option) ? (valuesOf(option)[0] ?? '') : false);
}

/** Stored settings may be older than this agent's definitions, so nothing of their shape is taken for granted. */
function readStored(stored: unknown): { readonly modeId?: string; readonly values: Record<string, OptionValue> } {
  if (typeof stored !== 'object' || stored === null) return { values: {} };
  const { modeId, values } = stored as { modeId?: unknown; values?: unknown };
  const entries = typeof values === 'object' && values !== null ? Object.entries(values) : [];
  return {
    ...(typeof modeId === 'string' && { modeId }),
    values: Object.fromEntries(entries.filter((entry): entry is [string, OptionValue] => isOptionValue(entry[1]))),
  };
}

function isOptionValue(value: unknown): value is OptionValue {
  return typeof value === 'string' || typeof value === 'boolean';
}
