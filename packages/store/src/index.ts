export { SessionNotFoundError, SessionOwnedError, StaleOwnerError, StoreError, type StoreErrorCode } from './errors.ts';
export type {
  AcquireOptions,
  AnswerResult,
  Appended,
  AppendOptions,
  EpochOptions,
  FollowOptions,
  ForkOptions,
  InboundRecord,
  Lease,
  LoggedEvent,
  NewAnswer,
  NewEvent,
  NewRequest,
  NewSession,
  PendingRequest,
  ReadOptions,
  RenewOptions,
  RequestAnswer,
  SessionLog,
  SessionStore,
} from './session-log.ts';
export { LOCAL_PRINCIPAL } from './session-log.ts';
export type { SessionChanges, SessionPage, SessionQuery, SessionRecord } from './session-record.ts';
