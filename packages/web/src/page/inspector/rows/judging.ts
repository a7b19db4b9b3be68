import type { MessageEntry, MessageJudge } from '@parley/session/traces';
import type { Row } from './row.ts';

/** How long messages are judged without a break; typing and scrolling come in between. */
const SLICE_MS = 8;

/** Judges messages in their order, whenever there is time. The validators are loaded with the first of them. */
export class Judging {
  readonly #onVerdict: (row: Row) => void;
  #queue: { readonly row: Row; readonly entry: MessageEntry }[] = [];
  #judge: MessageJudge | undefined;
  #isWorking = false;
  /** Why nothing can be judged. */
  problem: string | undefined;

  /** `onVerdict` is called for rows that break something, and once for each slice of work with the last of them. */
  constructor(onVerdict: (row: Row) => void) {
    this.#onVerdict = onVerdict;
  }

  add(row: Row, entry: MessageEntry): void {
    this.#queue.push({ row, entry });
    if (this.#isWorking || this.problem !== undefined) return;
    this.#isWorking = true;
    void this.#work();
  }

  /** Forgets what waits, and what is known of the wires. */
  clear(): void {
    this.#queue = [];
    this.#judge = undefined;
  }

  async #work(): Promise<void> {
    try {
      const { createMessageJudge } = await import('@parley/session/traces/judge');
      while (this.#queue.length > 0) {
        this.#judge ??= createMessageJudge();
        this.#judgeSome(this.#judge);
        await new Promise((resolve) => setTimeout(resolve));
      }
    } catch (error) {
      this.problem = `Messages are not judged: ${(error as Error).message}`;
    }
    this.#isWorking = false;
  }

  #judgeSome(judge: MessageJudge): void {
    const endAt = performance.now() + SLICE_MS;
    let done = 0;
    let last: Row | undefined;
    for (const { row, entry } of this.#queue) {
      done += 1;
      const verdict = judge.judge(entry);
      // A run of chunks is as good as the worst of them.
      if (row.verdict?.status !== 'invalid') row.verdict = verdict;
      if (verdict.status === 'invalid') this.#onVerdict(row);
      last = row;
      if (performance.now() > endAt) break;
    }
    this.#queue = this.#queue.slice(done);
    if (last) this.#onVerdict(last);
  }
}
