import { spawnSync } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { heard, load, startAgent } from './agent-process.ts';
import { errorOf, until } from './raw-client.ts';

const LEASE_MS = 300;

let folder = '';
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'parley-owner-'));
});
afterEach(() => rm(folder, { recursive: true }));

describe.skipIf(process.platform === 'win32')('a process that was stopped in the midst of a turn', () => {
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

/** Runs a command with a disk of its own, of four megabytes, that is its current directory. */
const ON_SMALL_DISK = [
  ...['unshare', '--user', '--map-root-user', '--mount', '/bin/sh', '-c'],
  'mount -t tmpfs -o size=4m none "$1" && cd "$1" && shift && exec "$@"',
  'sh',
];
const [unshare = '', ...mounting] = ON_SMALL_DISK;
const canMount = spawnSync(unshare, [...mounting, tmpdir(), 'true']).status === 0;

describe.runIf(canMount)('an agent whose disk was full in the midst of a turn', () => {
  it('says so until there is room, and then goes on at once', async () => {
    await using agent = await startAgent('sessions.db', { command: [...ON_SMALL_DISK, folder] });
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
