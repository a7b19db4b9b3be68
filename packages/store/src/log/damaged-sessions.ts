import type { SessionKey } from '../backend/operations.ts';

/** Sessions that are remembered; more of them would not make a damaged file any clearer. */
const MAX_SESSIONS = 1000;

/**
 * Sessions that could not be read because the file is damaged. Nothing more is written to them until they can be: it would
 * be acknowledged, and lost with the file.
 */
export class DamagedSessions {
  readonly #found = new Map<string, () => Promise<unknown>>();

  /** Takes how to read again what could not be read. */
  note(key: SessionKey, readAgain: () => Promise<unknown>): void {
    if (this.#found.size < MAX_SESSIONS) this.#found.set(nameOf(key), readAgain);
  }

  /** Undefined for a session that nobody doubts; else rejects as the reading did, unless the file is sound by now. */
  doubt(key: SessionKey): Promise<void> | undefined {
    const readAgain = this.#found.size === 0 ? undefined : this.#found.get(nameOf(key));
    return readAgain && this.#check(key, readAgain);
  }

  async #check(key: SessionKey, readAgain: () => Promise<unknown>): Promise<void> {
    try {
      await readAgain();
    } catch (error) {
      if (isDamage(error)) throw error;
    }
    this.#found.delete(nameOf(key));
  }
}

export function isDamage(error: unknown): boolean {
  return (error as { readonly code?: unknown } | null)?.code === 'store_corrupt';
}

function nameOf({ principal, sessionId }: SessionKey): string {
  return `${principal}\0${sessionId}`;
}
