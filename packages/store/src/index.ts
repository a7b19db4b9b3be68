export type { StoreOptions } from './create-session-store.ts';
export { SessionNotFoundError, SessionOwnedError, StaleOwnerError, StoreError, type StoreErrorCode } from './errors.ts';
export type { StoreLimits } from './limits.ts';
export type {
  AcquireOptions,
  Appended,
  AppendOptions,
  FollowOptions,
  ForkOptions,
  InboundRecord,
  Lease,
  LoggedEvent,
  NewEvent,
  NewSession,
  ReadOptions,
  RenewOptions,
  SessionLog,
  SessionStore,
} from './session-log.ts';
export { LOCAL_PRINCIPAL } from './session-log.ts';
export type { SessionChanges, SessionPage, SessionQuery, SessionRecord } from './session-record.ts';
