import type { TaskMeta } from 'vitest';

declare module 'vitest' {
  interface TaskMeta {
    /** Why the test is skipped on this machine; the reporter `test/skipped-tests.ts` prints it. */
    skipReason?: string;
  }
}

/** Something that a test needs from the machine. */
export interface Need {
  readonly isMet: boolean;
  /** Said where the need is not met, with the remedy: `no python3 found (apt-get install python3)`. */
  readonly reason: string;
}

/** Options of a test or of a suite: skipped with the reason of the first need that is not met. */
export interface NeedOptions {
  readonly skip: boolean;
  readonly meta: Partial<TaskMeta>;
}

/** `it('title', needs(PYTHON), () => ...)` and `describe('title', needs(POSIX, ROOT), () => ...)`. */
export function needs(...all: readonly Need[]): NeedOptions {
  const missing = all.find(({ isMet }) => !isMet);
  return missing === undefined ? { skip: false, meta: {} } : { skip: true, meta: { skipReason: missing.reason } };
}
