import type { LogEntry } from '../entry.ts';
import { applyEntry, NO_PROGRESS, type SessionProgress, type WaitingInput } from '../progress.ts';
import { type LogEnd, readProgress } from './interruption.ts';

/** What one process knows of a session's progress, and which inputs it has been told of. */
export class KnownProgress {
  readonly #log: Omit<LogEnd, 'head'>;
  /** Undefined until the end of the log was read. */
  #progress: SessionProgress | undefined;
  /** The last entry that `#progress` has, or would have if it were known. */
  #upTo: number;
  readonly #told = new Set<number>();

  constructor({ head, ...log }: LogEnd) {
    this.#log = log;
    this.#upTo = head;
    if (head === 0) this.#progress = NO_PROGRESS;
  }

  get current(): SessionProgress | undefined {
    return this.#progress;
  }

  /** What is going on, read from the log where that is not known. More may come while it is read. */
  async learn(head: number): Promise<SessionProgress> {
    while (!this.#progress) {
      const upTo = Math.max(head, this.#upTo);
      const progress = await readProgress({ ...this.#log, head: upTo });
      if (this.#progress || upTo < this.#upTo) continue;
      this.#progress = progress;
      this.#upTo = upTo;
    }
    return this.#progress;
  }

  /**
   * Where somebody who looks for what is left to do has to begin: at the oldest input that waits, other than the prompt of this
   * turn, or at the first entry that was not seen here. Undefined while that is not known.
   */
  oldestInput(turnId: string, seen: number): number | undefined {
    const waiting = this.#progress?.inputs.find(({ input }) => input.type !== 'prompt' || input.promptId !== turnId);
    return this.#progress && Math.min(waiting?.seq ?? Number.POSITIVE_INFINITY, seen + 1);
  }

  /** What is known may be wrong: the log has to be read again. */
  forget(): void {
    this.#progress = undefined;
  }

  /** Each entry once, whoever brings it first. */
  apply(entry: LogEntry, seq: number): void {
    if (entry.type === 'event') return;
    // We were far behind, and what is going on was told by entries that are gone.
    if (entry.type === 'turns_dropped' && seq > this.#upTo) this.forget();
    if (seq > this.#upTo) {
      this.#progress &&= applyEntry(this.#progress, entry, seq);
      this.#upTo = seq;
    }
    if (entry.type === 'input_taken') this.#told.delete(entry.seq);
  }

  /** The inputs that a new owner has to be told of are all of them. */
  retell(): void {
    this.#told.clear();
  }

  /** The inputs that the owner was not told of yet; they count as told now. */
  takeInputs(): WaitingInput[] {
    const untold = (this.#progress?.inputs ?? []).filter(({ seq }) => !this.#told.has(seq));
    for (const { seq } of untold) this.#told.add(seq);
    return untold;
  }
}
