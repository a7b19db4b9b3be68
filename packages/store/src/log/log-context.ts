import type { Backend, SessionView } from '../backend/operations.ts';
import type { StoreLimits } from '../contract/limits.ts';
import type { SessionRecord } from '../contract/session-record.ts';
import type { Followers } from '../follow/followers.ts';
import type { DamagedSessions } from './damaged-sessions.ts';
import type { UnreleasedSessions } from './unreleased.ts';
import type { WriteQueue } from './write-queue.ts';

/** What all logs of a store share. */
export interface LogContext {
  readonly backend: Backend;
  readonly followers: Followers;
  readonly limits: StoreLimits;
  readonly queue: WriteQueue;
  readonly unreleased: UnreleasedSessions;
  readonly damaged: DamagedSessions;
  readonly toRecord: (row: SessionView) => SessionRecord;
}
