export type { StoreOptions } from './create-session-store.ts';
export { SessionNotFoundError, SessionOwnedError, StaleOwnerError, StoreError, type StoreErrorCode } from './errors.ts';
export type { AcquireOptions, Lease, RenewOptions } from './lease.ts';
export type { StoreLimits } from './limits.ts';
export type {
  Appended,
  AppendOptions,
  FollowOptions,
  ForkOptions,
  InboundRecord,
  LoggedEvent,
  NewEvent,
  NewSession,
  ReadOptions,
  SessionLog,
  SessionStore,
} from './session-log.ts';
export { LOCAL_PRINCIPAL } from './session-log.ts';
export type { SessionChanges, SessionPage, SessionQuery, SessionRecord } from './session-record.ts';
