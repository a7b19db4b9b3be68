import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { needs, onSmallDisk, smallDisk } from '@parley/testing/needs';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { heard, startAgent } from './agent-process.ts';
import { errorOf } from './raw-client.ts';

let folder = '';
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'parley-owner-'));
});
afterEach(() => rm(folder, { recursive: true }));

describe('an agent whose disk was full in the midst of a turn', needs(smallDisk()), () => {
  it('says so until there is room, and then goes on at once', async () => {
    await using agent = await startAgent('sessions.db', { command: onSmallDisk(folder, 4) });
    const { sessionId } = await agent.newSession();
    await agent.prompt(sessionId, 'Hello');
    const reasonOf = async (prompt: Promise<unknown>): Promise<unknown> =>
      ((await errorOf(prompt)).data as { reason?: unknown } | undefined)?.reason;
    expect(await reasonOf(agent.prompt(sessionId, 'fill'))).toBe('log_failed');
    expect(await reasonOf(agent.prompt(sessionId, 'more'))).toBe('store_full');

    process.kill(agent.pid, 'SIGUSR2');
    const reasons = new Set<unknown>();
    for (let isDone = false; !isDone; ) {
      isDone = await agent.prompt(sessionId, 'again').then(
        () => true,
        ({ data }) => {
          reasons.add(data?.reason);
          return false;
        },
      );
    }
    // The signal may come after a prompt; that nobody else works there, it knows.
    expect([...reasons].filter((reason) => reason !== 'store_full')).toEqual([]);
    expect(heard(agent).at(-1)).toBe('You said: again');
  });
});
