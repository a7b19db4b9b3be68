import type { ClientCheck } from './client-check.ts';
import { messages } from './client-groups/messages.ts';
import { services } from './client-groups/services.ts';
import { setup } from './client-groups/setup.ts';
import { turns } from './client-groups/turns.ts';

/** Every check of clients, in the order of reports. */
export const CLIENT_CHECKS: readonly ClientCheck[] = [...messages, ...setup, ...turns, ...services];
