import type { ProtocolSetting } from '@parley/client';
import { requireChoice } from '@parley/host/command-line';

/** What `--protocol` and `protocol` in a settings file may be. */
export const PROTOCOL_CHOICES = ['1', '2', 'auto'] as const;

/** The version of ACP to speak, as a person wrote it; undefined where nobody says. */
export function readProtocol(word: string | number | undefined): ProtocolSetting | undefined {
  if (word === undefined) return undefined;
  const choice = requireChoice('--protocol', String(word), PROTOCOL_CHOICES);
  return choice === 'auto' ? choice : choice === '1' ? 1 : 2;
}
