import type { SessionStore } from '@parley/store';
import { CliError } from '../errors.ts';

/**
 * Opens the store of a server and writes to it once: a folder that cannot be written, or a disk that is full, is told when the server
 * starts and not by the first session.
 */
export async function openServerStore(path: string | undefined): Promise<SessionStore> {
  if (path === undefined) return (await import('@parley/store/memory')).memoryStore();
  const { sqliteStore } = await import('@parley/store/sqlite');
  const store = sqliteStore({ path });
  try {
    const log = store.log(PROBE);
    const id = `probe-${process.pid}`;
    await log.create({ id, cwd: '/' });
    await log.remove(id);
    return store;
  } catch (cause) {
    await store.close().catch(() => undefined);
    throw new CliError('not_available', `Sessions cannot be kept in ${path}: ${(cause as Error).message}`, {
      cause,
      next: ['--store <file in a folder that you may write to>', '--no-store   (they are gone with the server)'],
    });
  }
}

/** Nobody's sessions. */
const PROBE = 'parley-serve';
