import { createProtocol, type MethodTable, type Protocol } from '../../methods.ts';
import {
  type AgentNotifications,
  type AgentRequests,
  type ClientNotifications,
  type ClientRequests,
  NOTIFICATIONS,
  REQUESTS,
} from './methods.gen.ts';

export type * from './methods.gen.ts';
export { PROXY_NOTIFICATIONS, PROXY_REQUESTS } from './methods.gen.ts';
export type * from './types.gen.ts';
export { validators } from './validators.gen.ts';

type Requests = AgentRequests & ClientRequests;
type Notifications = AgentNotifications & ClientNotifications;

/** ACP version 1 with what is still unstable in it: newer fields, variants and methods, which may change. */
export const v1Unstable: Protocol<Requests, Notifications> = createProtocol<Requests, Notifications>({
  version: 1,
  requests: REQUESTS,
  notifications: NOTIFICATIONS,
});

/** Every method of version 1 by its name, the unstable ones marked. */
export const METHODS: MethodTable<Requests, Notifications> = v1Unstable.methods;
