import type { Protocol } from '../versions/protocol.ts';
import { messages } from './checks/messages.ts';
import { secondVersion } from './checks/second-version.ts';
import { services } from './checks/services.ts';
import { setup } from './checks/setup.ts';
import { turns } from './checks/turns.ts';
import type { ClientCheck } from './client-check.ts';

/** Every check of clients, of all versions, in the order of reports. */
export const CLIENT_CHECKS: readonly ClientCheck[] = [...messages, ...setup, ...turns, ...services, ...secondVersion];

/** The checks of clients that speak this version. */
export function clientChecks(protocol: Protocol): readonly ClientCheck[] {
  return CLIENT_CHECKS.filter(({ protocols = [1] }) => protocols.includes(protocol));
}
