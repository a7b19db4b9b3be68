import { createClock } from '../backend/clock.ts';
import type { Backend } from '../backend/operations.ts';
import { requireWholeNumbers } from '../contract/require.ts';
import type { SessionStore } from '../contract/session-log.ts';
import { createSessionStore, type StoreOptions } from '../log/create-session-store.ts';
import { memoryOperations } from './memory-operations.ts';

export interface MemoryStoreOptions extends StoreOptions {
  /** The most that all events together may take. Beyond it, append fails with `store_full`. Default: 256 MiB. */
  readonly maxBytes?: number;
  /** Whether several agents in this process are given this store, and so must keep out of each other's way. Default: false. */
  readonly isShared?: boolean;
}

const DEFAULT_MAX_BYTES = 256 * 1024 * 1024;

/** A store that lasts as long as this process: for tests, and for agents whose sessions need not outlive them. */
export function memoryStore(options: MemoryStoreOptions = {}): SessionStore {
  requireWholeNumbers('The session store', options, ['maxBytes']);
  const { maxBytes = DEFAULT_MAX_BYTES, isShared = false } = options;
  const now = createClock(options.now);
  const operations = memoryOperations(maxBytes);
  let owners = 0;
  const backend: Backend = {
    call: async (name, input) => operations[name](input, now()),
    watch: () => () => {},
    isShared,
    keepsCopies: true,
    newOwner: () => `owner ${++owners}`,
    close: async () => {},
  };
  // An append to memory is done at once; nothing waits, and only the total size is bounded.
  return createSessionStore(backend, { limits: { maxQueuedBytes: Number.MAX_SAFE_INTEGER, ...options.limits } });
}
