import { type Backend, checkBackend, OperationError } from '../backend/operations.ts';
import { SessionNotFoundError, SessionOwnedError, StaleOwnerError, StoreError } from '../contract/errors.ts';
import { DEFAULT_LIMITS, type StoreLimits } from '../contract/limits.ts';
import { requireName, requireWholeNumbers } from '../contract/require.ts';
import { LOCAL_PRINCIPAL, type SessionStore } from '../contract/session-log.ts';
import { Followers } from '../follow/followers.ts';
import { createSessionLog } from './create-session-log.ts';
import { DamagedSessions } from './damaged-sessions.ts';
import type { LogContext } from './log-context.ts';
import { toSessionRecord } from './to-record.ts';
import { UnreleasedSessions } from './unreleased.ts';
import { WriteQueue } from './write-queue.ts';

/** What every store can be told. */
export interface StoreOptions {
  readonly limits?: Partial<StoreLimits>;
  /** The clock, in milliseconds since 1970. Default: Date.now. */
  readonly now?: () => number;
}

const LIMIT_NAMES = Object.keys(DEFAULT_LIMITS) as (keyof StoreLimits)[];

/** The store that a backend makes: the same face, checks and followers for all of them. */
export function createSessionStore(backend: Backend, options: Pick<StoreOptions, 'limits'>): SessionStore {
  const limits = { ...DEFAULT_LIMITS, ...options.limits };
  requireWholeNumbers('The session store', limits, LIMIT_NAMES);
  const guarded = guard(backend);
  const queue = new WriteQueue(limits.maxQueuedBytes);
  const followers = new Followers(guarded, limits);
  const damaged = new DamagedSessions();
  const unreleased = new UnreleasedSessions(guarded);
  const toRecord: LogContext['toRecord'] = (row) => {
    const record = toSessionRecord(row);
    return record.isHeld && unreleased.has(row) ? { ...record, isHeld: false } : record;
  };
  const context: LogContext = { backend: guarded, followers, limits, queue, unreleased, damaged, toRecord };
  const close = async (): Promise<void> => {
    unreleased.close();
    await guarded.close();
    followers.close();
    // The last answers and the end of a thread may come in one moment: whoever called hears of theirs first.
    await new Promise<void>((resolve) => setTimeout(resolve, 0));
  };
  return {
    isShared: backend.isShared,
    check: () => checkBackend(guarded),
    principals: () => guarded.call('principals', {}),
    log: (principal = LOCAL_PRINCIPAL) => createSessionLog(requireName('A principal', principal), context),
    close,
    [Symbol.asyncDispose]: close,
  };
}

/** Refuses calls after closing, and gives refusals their public form. */
function guard(backend: Backend): Backend {
  let closing: Promise<void> | undefined;
  const guarded = async <Result>(call: () => Promise<Result>): Promise<Result> => {
    if (closing) throw new StoreError('store_closed', 'The session store is closed; open it again to go on.');
    try {
      return await call();
    } catch (error) {
      throw error instanceof OperationError ? toStoreError(error) : error;
    }
  };
  return {
    call: (name, input) => guarded(() => backend.call(name, input)),
    check: () => guarded(() => checkBackend(backend)),
    watch: (onChange) => backend.watch(onChange),
    isShared: backend.isShared,
    hasStrictLeases: backend.hasStrictLeases ?? false,
    newOwner: () => backend.newOwner(),
    hasEnded: (owner) => backend.hasEnded?.(owner) ?? false,
    keepsCopies: backend.keepsCopies ?? false,
    byteLength: backend.byteLength,
    close: () => {
      closing ??= backend.close();
      return closing;
    },
  };
}

function toStoreError({ code, sessionId, message }: OperationError): StoreError {
  if (code === 'session_not_found') return new SessionNotFoundError(sessionId);
  if (code === 'stale_owner') return new StaleOwnerError(sessionId, message);
  if (code === 'session_owned') return new SessionOwnedError(sessionId, message);
  return new StoreError(code, message);
}
