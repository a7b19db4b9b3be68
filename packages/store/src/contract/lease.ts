export interface AcquireOptions {
  /**
   * A name for this process; the same name may acquire again at once, which makes its own earlier epoch stale. Default:
   * a new name by which other processes on this machine notice when this one has ended, and then need not wait.
   */
  readonly owner?: string | undefined;
  /** At most an hour. Default: 15 seconds; renew at a third of it. */
  readonly leaseMs?: number | undefined;
  /** Takes the session even from a running lease, as when a person asks for it. Default: false. */
  readonly takeOver?: boolean | undefined;
}

export interface RenewOptions {
  readonly epoch: number;
  /** Counted from now, at most an hour. Default: 15 seconds. */
  readonly leaseMs?: number | undefined;
}

export interface Lease {
  readonly owner: string;
  /** Grows with every change of owner; carried by every append. */
  readonly epoch: number;
  readonly leaseUntilMs: number;
}
