export {
  SessionNotFoundError,
  SessionOwnedError,
  StaleOwnerError,
  StoreError,
  type StoreErrorCode,
} from './contract/errors.ts';
export type { AcquireOptions, Lease, RenewOptions } from './contract/lease.ts';
export type { StoreLimits } from './contract/limits.ts';
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
  TrimOptions,
} from './contract/session-log.ts';
export { LOCAL_PRINCIPAL } from './contract/session-log.ts';
export type {
  CopiedFacts,
  SessionChanges,
  SessionPage,
  SessionQuery,
  SessionRecord,
} from './contract/session-record.ts';
export type { StoreOptions } from './log/create-session-store.ts';
