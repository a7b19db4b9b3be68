/** What a backend knows of the owners of sessions beyond their leases. */
export interface Owners {
  stateOf(owner: string): OwnerState;
  /** An owner's name as people read it. */
  describe(owner: string): string;
}

/**
 * The state of a session's owner: it runs, it has ended, or this process cannot tell. It is only likely to run where
 * something that might be another is found under its name.
 */
export type OwnerState = 'running' | 'likely' | 'ended' | 'unknown';

/** Where an owner is a name and no more, its lease alone tells whether it may be at work. */
export const UNKNOWN_OWNERS: Owners = { stateOf: () => 'unknown', describe: (owner) => owner };
