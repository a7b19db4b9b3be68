import { ParleyError } from '@parley/jsonrpc';
import type { SessionLog, SessionRecord } from '@parley/store';

export interface OwnershipOptions {
  readonly log: SessionLog;
  readonly sessionId: string;
  /** How long others must wait for a session whose owner was lost without a word. */
  readonly leaseMs: number;
  /** How long to wait for an owner that is not at work in a turn. */
  readonly patienceMs: number;
  /** Whether the owner is at work in a turn, which takes its time. */
  readonly isAtWork: () => Promise<boolean>;
  /** Called when this process begins to want the session, and when it has released it. */
  readonly onHold: () => void;
  /** Prepares what was acquired, before anybody who holds it goes on. */
  readonly onAcquired: (epoch: number, record: SessionRecord) => Promise<void>;
  /** Another owner has taken the session while this one held it. */
  readonly onLost: (error: unknown) => void;
  readonly onFault: (message: string, error: unknown) => void;
}

/** Renewals within the time of a lease. */
const RENEWALS_PER_LEASE = 3;

/** Where leases are strict, work ends when this much of one has passed without a renewal: what then runs still has the rest to end. */
const FENCED_AFTER = 2 / 3;

/** The pause before a session that another process holds is tried again; it is tried twice at least. */
const PAUSE_MS = 100;

/** Whether this process is the one that may write to a session, for as long as anything here holds it. */
export class Ownership {
  readonly #options: OwnershipOptions;
  #holders = 0;
  /** The epoch, once the session is ours. */
  #owning: Promise<number> | undefined;
  #isOwned = false;
  #renewing: ReturnType<typeof setInterval> | undefined;
  /** The renewal that was not answered yet. */
  #asking: Promise<void> | undefined;
  /** The lease was not renewed in time: what was begun under it has to end, and nothing begins before it is renewed. */
  #isUnsure = false;
  /** Ends the work of an owner that cannot renew its lease. */
  #fence: ReturnType<typeof setTimeout> | undefined;

  constructor(options: OwnershipOptions) {
    this.#options = options;
  }

  /** Held here, or about to be. */
  get isWanted(): boolean {
    return this.#owning !== undefined;
  }

  /** Held here for certain. */
  get isOwned(): boolean {
    return this.#isOwned;
  }

  /** Whether it is held here, once that is certain. */
  async isOurs(): Promise<boolean> {
    try {
      return (await this.#owning) !== undefined;
    } catch {
      return false;
    }
  }

  /** Makes this process the owner until all who hold the session have released it; fails while another process is. */
  async hold(): Promise<number> {
    this.#holders += 1;
    const isFirst = this.#owning === undefined;
    this.#owning ??= this.#acquire();
    const owning = this.#owning;
    if (isFirst) this.#options.onHold();
    let epoch: number;
    try {
      epoch = await owning;
    } catch (error) {
      if (this.#owning === owning) this.#owning = undefined;
      if (--this.#holders === 0) this.#options.onHold();
      throw error;
    }
    if (this.#isUnsure && this.#owning === owning) await this.#makeSure(epoch);
    return epoch;
  }

  async #makeSure(epoch: number): Promise<void> {
    try {
      while (this.#isUnsure) await (this.#asking ?? this.#askOnce(epoch));
    } catch (error) {
      await this.release();
      throw error;
    }
  }

  /** Never rejects: a session that could not be given back is free when its lease has run out. */
  async release(): Promise<void> {
    if (--this.#holders > 0) return;
    const owning = this.#owning;
    this.#owning = undefined;
    this.#isOwned = false;
    this.#stopRenewing();
    this.#options.onHold();
    if (owning) await this.#giveBack(await owning);
  }

  async #acquire(): Promise<number> {
    const { sessionId, leaseMs, onAcquired } = this.#options;
    const { epoch, record, askedAt } = await this.#acquireSoon();
    this.#stopRenewing();
    this.#asking = undefined;
    this.#leased(askedAt);
    this.#renewing = setInterval(() => void this.#renew(epoch), Math.ceil(leaseMs / RENEWALS_PER_LEASE));
    try {
      if (!record) throw sessionNotFound(sessionId);
      await onAcquired(epoch, record);
    } catch (error) {
      this.#stopRenewing();
      await this.#giveBack(epoch);
      throw error;
    }
    this.#isOwned = true;
    return epoch;
  }

  /** A process that changes a setting or drops old turns holds the session for a moment only, which is waited for. */
  async #acquireSoon(): Promise<Acquired> {
    const { patienceMs, isAtWork } = this.#options;
    const startedAt = performance.now();
    for (let tries = 1; ; tries++) {
      try {
        return await this.#acquireNow();
      } catch (error) {
        const isPatient = tries === 1 || performance.now() - startedAt < patienceMs;
        if (codeOf(error) !== 'session_owned' || !isPatient || (tries > 1 && (await isAtWork()))) throw error;
      }
      await new Promise<void>((resolve) => setTimeout(resolve, PAUSE_MS));
    }
  }

  async #acquireNow(): Promise<Acquired> {
    const { log, sessionId, leaseMs } = this.#options;
    // Both at once: calls on a session take effect in their order, so that the record is that of the new owner.
    const askedAt = performance.now();
    const [{ epoch }, record] = await Promise.all([log.acquire(sessionId, { leaseMs }), log.get(sessionId)]);
    return { epoch, record, askedAt };
  }

  /** One at a time: a store that was away would answer them all at once, most of them too late. */
  async #renew(epoch: number): Promise<void> {
    if (this.#asking) return;
    const renewing = this.#renewing;
    try {
      await this.#askOnce(epoch);
    } catch (error) {
      // Any other failure is that of the store, which the next append meets too.
      if (codeOf(error) === 'stale_owner' && this.#renewing === renewing) this.#options.onLost(error);
    }
  }

  #askOnce(epoch: number): Promise<void> {
    const { log, sessionId, leaseMs } = this.#options;
    const renewing = this.#renewing;
    const askedAt = performance.now();
    const asking = log
      .renew(sessionId, { epoch, leaseMs })
      .then(() => {
        if (this.#renewing === renewing) this.#leased(askedAt);
      })
      .finally(() => {
        if (this.#asking === asking) this.#asking = undefined;
      });
    this.#asking = asking;
    return asking;
  }

  /** The lease was given some time between the question and the answer, and is only sure from the question on. */
  #leased(askedAt: number): void {
    const { log, sessionId, leaseMs, onLost } = this.#options;
    if (!log.hasStrictLeases) return;
    const restMs = FENCED_AFTER * leaseMs - (performance.now() - askedAt);
    if (restMs <= 0) {
      // Whatever runs is ended by the fence of the lease before this one.
      this.#isUnsure = true;
      return;
    }
    clearTimeout(this.#fence);
    this.#isUnsure = false;
    this.#fence = setTimeout(() => {
      this.#isUnsure = true;
      const message = `The lease of session ${sessionId} could not be renewed in time; another process may have it soon.`;
      onLost(new ParleyError('lease_lost', message));
    }, restMs);
  }

  #stopRenewing(): void {
    clearInterval(this.#renewing);
    clearTimeout(this.#fence);
    this.#renewing = undefined;
    this.#isUnsure = false;
  }

  async #giveBack(epoch: number): Promise<void> {
    const { log, sessionId, onFault } = this.#options;
    try {
      await log.release(sessionId, { epoch });
    } catch (error) {
      // A session that was deleted meanwhile needs no giving back.
      if (codeOf(error) === 'session_not_found') return;
      onFault('A session could not be given back; it is free later.', error);
    }
  }
}

interface Acquired {
  readonly epoch: number;
  readonly record: SessionRecord | undefined;
  readonly askedAt: number;
}

/** The session was removed while it was open here. */
export function sessionNotFound(sessionId: string): ParleyError {
  return new ParleyError('session_not_found', `Session not found: ${sessionId}`);
}

function codeOf(error: unknown): unknown {
  return (error as { readonly code?: unknown } | null)?.code;
}
