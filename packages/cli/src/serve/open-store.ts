import { CliError } from '@parley/host/command-line';
import type { SessionStore } from '@parley/store';
import { isDatabase, openStorePlace, type StorePlace, showStorePlace } from '../stores/store-place.ts';

/**
 * Opens the store of a server and writes to it once: a folder that cannot be written, or a disk that is full, is told when the server
 * starts and not by the first session.
 */
export async function openServerStore(place: StorePlace | undefined): Promise<SessionStore> {
  if (place === undefined) return (await import('@parley/store/memory')).memoryStore();
  const store = openStorePlace(place);
  try {
    const log = store.log(PROBE);
    // Servers on several machines may start at once.
    const id = `probe-${crypto.randomUUID()}`;
    await log.create({ id, cwd: '/' });
    await log.remove(id);
    return store;
  } catch (cause) {
    await store.close().catch(() => undefined);
    throw new CliError(
      'not_available',
      `Sessions cannot be kept in ${showStorePlace(place)}: ${(cause as Error).message}`,
      {
        cause,
        next: isDatabase(place)
          ? ['psql <address>   (can it be reached from here?)']
          : ['--store <file in a folder that you may write to>', '--no-store   (they are gone with the server)'],
      },
    );
  }
}

/** Nobody's sessions. */
const PROBE = 'parley-serve';
