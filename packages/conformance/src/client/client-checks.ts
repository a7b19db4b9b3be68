import { messages } from './checks/messages.ts';
import { services } from './checks/services.ts';
import { setup } from './checks/setup.ts';
import { turns } from './checks/turns.ts';
import type { ClientCheck } from './client-check.ts';

/** Every check of clients, in the order of reports. */
export const CLIENT_CHECKS: readonly ClientCheck[] = [...messages, ...setup, ...turns, ...services];
