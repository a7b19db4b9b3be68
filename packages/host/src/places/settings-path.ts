import { dirname, resolve } from 'node:path';
import { findHome } from './places.ts';

export interface SettingsPathFrom {
  /** The settings file. */
  readonly config: string;
  readonly env: Readonly<Record<string, string | undefined>>;
}

/** A file that the settings name: from the folder of the settings or, with `~/`, from the home folder. */
export function settingsPath(path: string, { config, env }: SettingsPathFrom): string {
  return path.startsWith('~/') ? resolve(findHome(env) ?? '/', path.slice(2)) : resolve(dirname(config), path);
}
