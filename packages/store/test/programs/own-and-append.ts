import { createInterface } from 'node:readline';
import { StoreError } from '../../src/index.ts';
import { openStore } from '../open-store.ts';

/**
 * Tries to own some sessions, and appends to those that it owns again and again, until it is told to end. Says on stdout
 * whenever it has become the owner of one. Usage: own-and-append <place> <name> <sessions> <lease in ms>
 */
const [place = '', name = '', sessions = '1', lease = '300'] = process.argv.slice(2);
const leaseMs = Number(lease);
const store = openStore(place);
const log = store.log();
let isEnding = false;
createInterface({ input: process.stdin }).once('line', () => {
  isEnding = true;
});

await Promise.all(Array.from({ length: Number(sessions) }, (_, index) => own(`session-${index}`)));
await store.close();

async function own(id: string): Promise<void> {
  await log.create({ id, cwd: '/proj' }).catch(() => {});
  while (!isEnding) {
    try {
      const { epoch } = await log.acquire(id, { owner: name, leaseMs });
      process.stdout.write(`own ${id} ${epoch}\n`);
      await appendAs(id, epoch);
      await log.release(id, { epoch });
    } catch (error) {
      if (!(error instanceof StoreError) || !['session_owned', 'stale_owner'].includes(error.code)) throw error;
      if (error.code === 'stale_owner') process.stdout.write(`stale ${id}\n`);
      await new Promise((resolve) => setTimeout(resolve, 20 + Math.random() * 20));
    }
  }
}

/** Renews far less often than it writes, as every owner does: between two renewals only the epoch guards the log. */
async function appendAs(id: string, epoch: number): Promise<void> {
  for (let renewedAt = performance.now(); !isEnding; ) {
    await log.append(id, [{ kind: 'owned', body: { by: name, epoch } }], { epoch });
    if (performance.now() - renewedAt > leaseMs / 3) {
      await log.renew(id, { epoch, leaseMs });
      renewedAt = performance.now();
    }
    await new Promise((resolve) => setTimeout(resolve, 30));
  }
}
