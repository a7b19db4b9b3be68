import type { DamagedSessions } from './damaged-sessions.ts';
import type { Followers } from './followers.ts';
import type { StoreLimits } from './limits.ts';
import type { Backend, SessionView } from './operations.ts';
import type { SessionRecord } from './session-record.ts';
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
