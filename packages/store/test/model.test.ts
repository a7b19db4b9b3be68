import { describe, it } from 'vitest';
import { memoryStore } from '../src/memory/memory-store.ts';
import { sqliteStore } from '../src/sqlite/sqlite-store.ts';
import { check, everywhere, limits, onDisk } from './model-check.ts';
import { temporaryPaths } from './temporary-folder.ts';

describe('any sequence of calls', () => {
  it('leaves a store in memory as the model says', async () => {
    await check(everywhere, 300, () => (now) => memoryStore({ limits, now }));
  });

  it('leaves a store on disk as the model says, also when it is reopened or abandoned in between', async () => {
    const newPath = temporaryPaths();
    await check(onDisk, 20, () => {
      const path = newPath();
      return (now) => sqliteStore({ path, limits, now, pollIntervalMs: 5 });
    });
  }, 60_000);
});
