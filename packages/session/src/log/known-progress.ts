import type { LogEntry } from '../entry.ts';
import { applyEntry, NO_PROGRESS, type SessionProgress, type WaitingInput } from '../progress.ts';

/** What one process knows of a session's progress, and which inputs it has been told of. */
export class KnownProgress {
  /** Undefined until the end of the log was read. */
  #progress: SessionProgress | undefined;
  /** The last entry that `#progress` has. */
  #upTo: number;
  readonly #told = new Set<number>();

  constructor(head: number) {
    this.#upTo = head;
    if (head === 0) this.#progress = NO_PROGRESS;
  }

  get current(): SessionProgress | undefined {
    return this.#progress;
  }

  /** Takes what was read from the log up to an entry. */
  set(progress: SessionProgress, upTo: number): SessionProgress {
    this.#progress = progress;
    this.#upTo = upTo;
    return progress;
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
    if (this.#progress && seq > this.#upTo) {
      this.#progress = applyEntry(this.#progress, entry, seq);
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
