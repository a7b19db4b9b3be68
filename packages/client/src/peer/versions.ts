import type { DialectSetting } from '@parley/dialects';
import { UsageError } from '../errors.ts';
import type { Versions } from './protocol-version.ts';
import { V1 } from './v1/v1-peer.ts';
import { V2 } from './v2/offer.ts';

/**
 * Which version of ACP is spoken. `1` and `2`: that one, or none. `auto`: 2 where the agent speaks it, else 1; an agent that
 * refuses to be offered 2 is asked once more, for 1.
 */
export type ProtocolSetting = 1 | 2 | 'auto';

/** What decides which versions are offered. */
export interface VersionWishes {
  readonly protocol?: ProtocolSetting;
  readonly dialect?: DialectSetting;
  /** Files and terminals that we serve, for which version 2 has no words. */
  readonly workspace?: unknown;
  readonly terminals?: unknown;
  /** Whether what the agent says of itself arrives; else only version 1 is of use. */
  readonly carriesUpdates?: boolean | undefined;
}

/** The versions of ACP that this client offers. What speaks version 2 is loaded when an agent takes it. */
export function versionsFor({
  workspace,
  terminals,
  protocol = workspace || terminals ? 1 : 'auto',
  dialect = 'canonical',
  carriesUpdates = true,
}: VersionWishes): Versions {
  // Who listens for a dialect hears by the agent's first answer that it speaks version 2, which has none.
  const isCanonical = ['canonical', 'auto'].includes(typeof dialect === 'string' ? dialect : dialect.dialect);
  if (protocol === 1 || (protocol === 'auto' && !(isCanonical && carriesUpdates))) return [V1];
  if (!carriesUpdates)
    throw new UsageError(
      'invalid_settings',
      'Plain POST carries no updates, which end the turns of ACP version 2; connect with protocol 1 or auto.',
    );
  if (!isCanonical)
    throw new UsageError('invalid_settings', 'Dialects are of ACP version 1; connect with protocol 1 or auto.');
  return protocol === 2 ? [V2] : [V2, V1];
}
