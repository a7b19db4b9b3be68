import { describe, expect, it } from 'vitest';
import { memoryStore } from '../src/memory/memory-store.ts';
import { numbered } from './cases/collect.ts';
import { sessionLogCases } from './session-log-cases.ts';

sessionLogCases('in memory', (options) => memoryStore(options));

describe('the store in memory', () => {
  it('refuses more than its bytes, and goes on after a session is removed', async () => {
    await using store = memoryStore({ maxBytes: 100 });
    const log = store.log();
    for (const id of ['a', 'b']) await log.create({ id, cwd: '/proj' });
    await log.append('a', [{ kind: 'text', body: 'x'.repeat(80) }]);
    await expect(log.append('b', [{ kind: 'text', body: 'y'.repeat(80) }])).rejects.toMatchObject({
      code: 'store_full',
    });
    await expect(log.fork('a', { id: 'c' })).rejects.toMatchObject({ code: 'store_full' });
    await log.remove('a');
    expect(await log.append('b', numbered(1, 3))).toEqual({ first: 1, last: 3 });
  });
});
