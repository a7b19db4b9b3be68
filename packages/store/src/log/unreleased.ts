import { inBackground } from '../backend/clock.ts';
import type { Backend, SessionKey, SessionRow } from '../backend/operations.ts';

/** How often to try again to give sessions back. */
const RETRY_MS = 1000;

interface Unreleased {
  readonly key: SessionKey;
  readonly epoch: number;
}

/**
 * Sessions that were given up here while the file could not be written, as on a full disk. For this store they are free at
 * once. Other processes would wait for as long as this one lives, so it tries again until they are free for all.
 */
export class UnreleasedSessions {
  readonly #backend: Backend;
  readonly #sessions = new Map<string, Unreleased>();
  #retrying: ReturnType<typeof setInterval> | undefined;

  constructor(backend: Backend) {
    this.#backend = backend;
  }

  /** Gives a session back, later if need be. */
  async release(key: SessionKey, epoch: number): Promise<boolean> {
    try {
      const wasOurs = await this.#backend.call('release', { ...key, epoch });
      this.#forget(key, epoch);
      return wasOurs;
    } catch (error) {
      if (isFault(error)) this.#keep(key, epoch);
      else this.#forget(key, epoch);
      throw error;
    }
  }

  /** To be called before a session is acquired: calls on a session take effect in their order. */
  releaseFirst(key: SessionKey): void {
    const unreleased = this.#sessions.get(nameOf(key));
    if (unreleased) void this.release(key, unreleased.epoch).catch(() => {});
  }

  has({ principal, id, epoch }: Pick<SessionRow, 'principal' | 'id' | 'epoch'>): boolean {
    return this.#sessions.get(nameOf({ principal, sessionId: id }))?.epoch === epoch;
  }

  close(): void {
    this.#sessions.clear();
    clearInterval(this.#retrying);
  }

  #keep(key: SessionKey, epoch: number): void {
    this.#sessions.set(nameOf(key), { key, epoch });
    this.#retrying ??= inBackground(setInterval(() => this.#retry(), RETRY_MS));
  }

  #retry(): void {
    for (const { key } of this.#sessions.values()) this.releaseFirst(key);
  }

  #forget(key: SessionKey, epoch: number): void {
    if (this.#sessions.get(nameOf(key))?.epoch === epoch) this.#sessions.delete(nameOf(key));
    if (this.#sessions.size > 0) return;
    clearInterval(this.#retrying);
    this.#retrying = undefined;
  }
}

/** Whether the file failed, and not the call: then it may be done later. */
function isFault(error: unknown): boolean {
  const { code } = (error ?? {}) as { readonly code?: unknown };
  return typeof code === 'string' && code.startsWith('store_') && code !== 'store_closed';
}

function nameOf({ principal, sessionId }: SessionKey): string {
  return `${principal}\0${sessionId}`;
}
