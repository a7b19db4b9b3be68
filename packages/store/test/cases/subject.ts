import type { SessionLog, SessionStore, StoreOptions } from '../../src/index.ts';

/** The largest event of the stores that the cases work on. */
export const MAX_EVENT_BYTES: number = 64 * 1024;

/** What a case works on: a store shared by all cases, and a fresh principal and session of its own. */
export interface Subject {
  readonly store: SessionStore;
  readonly log: SessionLog;
  readonly sessionId: string;
  /** The store's clock; a case may set it forward. */
  readonly clock: { nowMs: number };
}

export type NewSubject = () => Promise<Subject>;
export type Cases = (newSubject: NewSubject) => void;
export type OpenStore = (options: StoreOptions) => SessionStore;
