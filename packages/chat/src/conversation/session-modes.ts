import { listValues, type Transcript } from '@parley/client';

export interface ModeChoice {
  readonly id: string;
  readonly name: string;
  readonly description?: string | null | undefined;
}

export interface SessionModes {
  readonly current: string | undefined;
  readonly modes: readonly ModeChoice[];
}

/** The modes of a session, whether the agent tells them as modes or as an option. */
export function modesOf(transcript: Transcript | undefined): SessionModes {
  const { mode, options = [] } = transcript ?? {};
  if (mode && mode.availableModes.length > 0) return { current: mode.currentModeId, modes: mode.availableModes };
  const option = options.find(({ category, type }) => category === 'mode' && type === 'select');
  if (!option) return { current: undefined, modes: [] };
  const modes = listValues(option).map(({ value, name, description }) => ({ id: value, name, description }));
  return { current: String(option.currentValue), modes };
}

/** The name of the value that an option has. */
export function valueName(option: Transcript['options'][number]): string {
  if (option.type === 'boolean') return option.currentValue ? 'on' : 'off';
  return listValues(option).find(({ value }) => value === option.currentValue)?.name ?? String(option.currentValue);
}
