import { type SharedLog, trimTurns } from '@parley/session/log';
import type { SessionLog } from '@parley/store';
import type { AgentLimits } from '../limits.ts';

export interface RetentionOptions {
  readonly log: SessionLog;
  readonly sessionId: string;
  /** Undefined when no other process can have the session. */
  readonly shared: SharedLog | undefined;
  readonly limits: Pick<AgentLimits, 'keepTurns' | 'keepDays'>;
  /** Old turns could not be deleted; they are next time. */
  readonly onFault: (error: unknown) => void;
}

/** The share of turns more than are kept that may gather: a log is not read after every turn. */
const SLACK = 0.1;
const DAY_MS = 24 * 60 * 60 * 1000;
/** How often turns are looked at for their age. */
const LOOK_MS = 60 * 60 * 1000;

/** Keeps the log of a session from growing for ever: its owner deletes the oldest turns between two turns. */
export class Retention {
  readonly #options: RetentionOptions;
  /** The turns in the log when it was read last; undefined before. */
  #turns: number | undefined;
  /** Turns that have ended since then. */
  #ended = 0;
  #lookedAtMs = Number.NEGATIVE_INFINITY;
  #isAtWork = false;
  #done = Promise.resolve();

  constructor(options: RetentionOptions) {
    this.#options = options;
  }

  /** Resolves when what is under way is done; never rejects. */
  get done(): Promise<void> {
    return this.#done;
  }

  /** To be called by the owner while it still has the session; nobody waits for it. */
  turnEnded(): void {
    const { keepTurns, keepDays } = this.#options.limits;
    if (keepTurns === Number.POSITIVE_INFINITY && keepDays === Number.POSITIVE_INFINITY) return;
    this.#ended += 1;
    if (!this.#isAtWork && this.#isDue) this.#done = this.#work();
  }

  get #isDue(): boolean {
    const { keepTurns, keepDays } = this.#options.limits;
    if (this.#turns === undefined || this.#turns + this.#ended > keepTurns + Math.ceil(keepTurns * SLACK)) return true;
    return keepDays < Number.POSITIVE_INFINITY && Date.now() >= this.#lookedAtMs + LOOK_MS;
  }

  /** Turns may end meanwhile, and be too many again. */
  async #work(): Promise<void> {
    this.#isAtWork = true;
    try {
      do await this.#trim();
      while (this.#isDue);
    } catch (error) {
      this.#options.onFault(error);
    } finally {
      this.#isAtWork = false;
    }
  }

  async #trim(): Promise<void> {
    const { log, sessionId, shared, limits } = this.#options;
    this.#ended = 0;
    // Held before this first waits, so that the session stays ours between the turn and this.
    const epoch = await shared?.hold();
    try {
      this.#lookedAtMs = Date.now();
      const keep = {
        ...(limits.keepTurns < Number.POSITIVE_INFINITY && { turns: limits.keepTurns }),
        ...(limits.keepDays < Number.POSITIVE_INFINITY && { sinceMs: this.#lookedAtMs - limits.keepDays * DAY_MS }),
      };
      this.#turns = (await trimTurns({ log, sessionId, keep, epoch })).kept;
    } finally {
      await shared?.release();
    }
  }
}
