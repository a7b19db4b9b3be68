import { createProtocol, type MethodTable, type Protocol } from '../methods.ts';
import {
  type AgentNotifications,
  type AgentRequests,
  type ClientNotifications,
  type ClientRequests,
  NOTIFICATIONS,
  REQUESTS,
} from './methods.gen.ts';

export type * from './methods.gen.ts';
export { checkRules, enforceRules, type RuleContext } from './rules.ts';
export type * from './types.gen.ts';
export { validators } from './validators.gen.ts';

type Requests = AgentRequests & ClientRequests;
type Notifications = AgentNotifications & ClientNotifications;

/** ACP version 2, a draft. Its unions are open: a variant it does not name is kept. */
export const v2: Protocol<Requests, Notifications> = createProtocol<Requests, Notifications>({
  version: 2,
  requests: REQUESTS,
  notifications: NOTIFICATIONS,
});

/** Every method of the version 2 draft by its name. */
export const METHODS: MethodTable<Requests, Notifications> = v2.methods;
