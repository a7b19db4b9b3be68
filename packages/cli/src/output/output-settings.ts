import { requireChoice } from '@parley/host/command-line';
import type { Config, Format } from '../config/config.ts';
import type { SharedFlags } from '../flags/shared-flags.ts';

/** What is told, and how. */
export interface OutputSettings {
  readonly format: Format;
  readonly isVerbose: boolean;
  /** Leaves out what files contain. */
  readonly hidesReads: boolean;
  readonly isQuietAboutProgress: boolean;
  /** False with `--no-color`; then the environment and the stream are not asked. */
  readonly color: boolean;
}

export function readOutputSettings(flags: SharedFlags, config: Config = {}): OutputSettings {
  const format = requireChoice('--format', flags.format ?? config.format ?? 'text', ['text', 'json', 'quiet'] as const);
  return {
    format,
    isVerbose: flags.verbose === true,
    hidesReads: flags.suppressReads === true,
    isQuietAboutProgress: flags.jsonStrict === true || format === 'quiet',
    color: flags.color !== false,
  };
}
