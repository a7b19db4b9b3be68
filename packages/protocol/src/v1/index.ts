import { createProtocol, type MethodTable, type Protocol } from '../methods.ts';
import {
  type AgentNotifications,
  type AgentRequests,
  type ClientNotifications,
  type ClientRequests,
  NOTIFICATIONS,
  REQUESTS,
} from './methods.gen.ts';
import { VERSION } from './version.ts';

export type * from './methods.gen.ts';
export type * from './types.gen.ts';
export { validators } from './validators.gen.ts';

type Requests = AgentRequests & ClientRequests;
type Notifications = AgentNotifications & ClientNotifications;

/** ACP version 1, the stable part. */
export const v1: Protocol<Requests, Notifications> = createProtocol<Requests, Notifications>({
  version: VERSION,
  requests: REQUESTS,
  notifications: NOTIFICATIONS,
});

/** Every stable method of version 1 by its name: `METHODS['session/load'].gate`. */
export const METHODS: MethodTable<Requests, Notifications> = v1.methods;
