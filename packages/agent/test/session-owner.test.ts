import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { needs, POSIX } from '@parley/testing/needs';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { load, startAgent } from './agent-process.ts';
import { errorOf, until } from './raw-client.ts';

const LEASE_MS = 300;

let folder = '';
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'parley-owner-'));
});
afterEach(() => rm(folder, { recursive: true }));

describe('a process that was stopped in the midst of a turn', needs(POSIX), () => {
  it('keeps its turn, however short its lease', async () => {
    const path = join(folder, 'sessions.db');
    await using first = await startAgent(path, { leaseMs: LEASE_MS });
    await using second = await startAgent(path, { leaseMs: LEASE_MS });
    const { sessionId } = await first.newSession();
    await load(second, sessionId);
    const turn = first.prompt(sessionId, 'wait');
    await until(() => second.said() === 'waiting');
    let reason: unknown;
    do {
      process.kill(first.pid, 'SIGSTOP');
      try {
        await sleep(LEASE_MS * 2);
        const { data } = await errorOf(second.prompt(sessionId, 'mine now'));
        reason = (data as { reason?: unknown } | undefined)?.reason;
      } finally {
        process.kill(first.pid, 'SIGCONT');
      }
      // It was stopped while it renewed its lease, and had the file locked.
    } while (reason === 'store_busy');
    expect(reason).toBe('session_owned');
    first.notify('session/cancel', { sessionId });
    expect(await turn).toEqual({ stopReason: 'cancelled' });
    expect(await second.prompt(sessionId, 'mine now')).toEqual({ stopReason: 'end_turn' });
  });
});
