import { isRecord } from '@parley/jsonrpc/internal';
import type {
  AvailableCommand,
  SessionConfigOption,
  SessionConfigSelectGroup,
  SessionConfigSelectOption,
  SessionMode,
} from '@parley/protocol';
import type { OptionValue, OwnSettings, Settings } from '../contract/settings.ts';
import { MODE_OPTION_ID } from './settings.ts';

/** How a session with settings of its own is set. */
export function settingsOf(own: OwnSettings): Settings {
  const values = (own.options ?? []).map(({ id, currentValue }) => [id, currentValue] as const);
  return { modeId: own.mode, values: Object.fromEntries(values), own };
}

/** Stored settings may have been written by anybody, so nothing of their shape is taken for granted. */
export function readOwnSettings(stored: unknown): OwnSettings | undefined {
  const { own } = (stored ?? {}) as { readonly own?: unknown };
  if (typeof own !== 'object' || own === null) return undefined;
  const { modes, mode, options, commands, meta, extra } = own as Readonly<Record<string, unknown>>;
  return {
    ...(Array.isArray(modes) && { modes: modes as SessionMode[] }),
    ...(typeof mode === 'string' && { mode }),
    ...(Array.isArray(options) && { options: options as SessionConfigOption[] }),
    ...(Array.isArray(commands) && { commands: commands as AvailableCommand[] }),
    ...(isRecord(meta) && { meta }),
    ...(isRecord(extra) && { extra }),
  };
}

/** The settings with one of them changed, or undefined when there is no such mode, option or value. */
export function changeOwnSettings(
  own: OwnSettings,
  { id, value }: { readonly id: string; readonly value: OptionValue },
): OwnSettings | undefined {
  const options = own.options ?? [];
  const option = options.find((each) => each.id === id);
  const mode = id === MODE_OPTION_ID ? own.modes?.find((each) => each.id === value) : undefined;
  if (!mode && !(option && takesValue(option, value))) return undefined;
  return {
    ...own,
    ...(mode && { mode: mode.id }),
    ...(option && {
      options: options.map((each) =>
        each === option ? ({ ...each, currentValue: value } as SessionConfigOption) : each,
      ),
    }),
  };
}

/** All options with the modes among them, for versions of the protocol in which the mode is an option; undefined where it is one. */
export function optionsWithMode({ modes = [], mode, options = [] }: OwnSettings): SessionConfigOption[] | undefined {
  const hasMode = options.some(({ id, category }) => id === MODE_OPTION_ID || category === 'mode');
  if (hasMode || mode === undefined || modes.length === 0) return undefined;
  const values = modes.map(({ id, name, description }) => ({
    value: id,
    name,
    ...(description != null && { description }),
  }));
  return [
    { id: MODE_OPTION_ID, name: 'Mode', category: 'mode', type: 'select', currentValue: mode, options: values },
    ...options,
  ];
}

function takesValue(option: SessionConfigOption, value: OptionValue): boolean {
  if (option.type === 'boolean') return typeof value === 'boolean';
  if (option.type !== 'select') return true;
  const listed = option.options as readonly (SessionConfigSelectOption | SessionConfigSelectGroup)[];
  return listed.flatMap((each) => ('options' in each ? each.options : [each])).some((each) => each.value === value);
}
