import { setTimeout as sleep } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

setFlagsFromString('--expose-gc');
const collect = runInNewContext('gc') as () => void;

/** The runtime forgets what it holds weakly only between two turns of the event loop. */
export async function collectGarbage(): Promise<void> {
  for (let round = 0; round < 5; round++) {
    await sleep(10);
    collect();
  }
}
