import { holdsAt, type Place, type Remembered } from './remembered.ts';

/** Where remembered decisions are kept. Ours are in memory here and in files and databases elsewhere. */
export interface RememberedStore {
  /** Everything that holds at this place, oldest first. */
  list(place: Place): Promise<readonly Remembered[]>;
  save(entry: Remembered): Promise<void>;
  /** Revokes; false when there was no such entry. */
  remove(id: string): Promise<boolean>;
}

/** Forgets what was answered for one session: a new one begins with no answers, whatever id it was given. */
export async function forgetSession(store: RememberedStore, place: Place): Promise<void> {
  for (const { id, scope } of await store.list(place)) if (scope === 'session') await store.remove(id);
}

/** Most entries that a memory store keeps; the oldest goes first. */
export const MAX_REMEMBERED = 10_000;

export function createMemoryRemembered(entries: readonly Remembered[] = []): RememberedStore {
  const kept = new Map(entries.map((entry) => [entry.id, entry]));
  return {
    list: async (place) => [...kept.values()].filter((entry) => holdsAt(entry, place)),
    save: async (entry) => {
      kept.set(entry.id, entry);
      for (const id of kept.keys()) if (kept.size > MAX_REMEMBERED) kept.delete(id);
    },
    remove: async (id) => kept.delete(id),
  };
}
