import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { useParley } from '../test-support/parley.ts';

const parley = useParley();

const EVENTS = 8000;
const ROUNDS = 5;

/** An archive that takes a moment to take in. */
function writeArchive(name: string, agent: string, settings: object = {}): string {
  const body = { type: 'message_chunk', role: 'agent', content: { type: 'text', text: 'x'.repeat(200) } };
  const events = Array.from({ length: EVENTS }, () => ({ kind: 'event', body }));
  const session = { name, agent, command: 'true', agentSessionId: 'theirs', cwd: parley.folder, title: name, settings };
  writeFileSync(
    join(parley.folder, `${name}.json`),
    JSON.stringify({ format: 'parley-session/1', exportedAt: new Date(0).toISOString(), session, events }),
  );
  return `${name}.json`;
}

async function list(): Promise<{ name?: string; events: number }[]> {
  return JSON.parse((await parley.run(['sessions', 'list', '--all', '--json'])).stdout).sessions;
}

/** Those that are not listed too. */
async function countAll(): Promise<string> {
  return (await parley.run(['sessions', 'prune', '--older-than', '0', '--dry-run'])).stderr;
}

describe('an import', () => {
  it.each(['parley', 'theirs'])('that is killed leaves the whole session or nothing (%s)', async (agent) => {
    const file = writeArchive(`of ${agent}`, agent);
    const startedAt = performance.now();
    await parley.run(['sessions', 'import', file, '--name', `${agent} whole`]);
    const wholeMs = performance.now() - startedAt;
    for (let round = 0; round < ROUNDS; round++) {
      const { process, finished } = parley.start(['sessions', 'import', file, '--name', `${agent} ${round}`]);
      await sleep(wholeMs * (0.3 + (0.7 * round) / ROUNDS));
      process.kill('SIGKILL');
      await finished;
    }
    const found = await list();
    expect(found.map(({ name }) => name)).toContain(`${agent} whole`);
    expect(found.filter(({ events, name }) => events !== EVENTS || name === undefined)).toEqual([]);
  });

  it('that fails leaves nothing', async () => {
    const before = await countAll();
    // More than is taken beside the events.
    const file = writeArchive('too much', 'parley', { note: 'x'.repeat(17 * 1024 * 1024) });
    expect((await parley.run(['sessions', 'import', file])).code).not.toBe(0);
    expect((await list()).map(({ name }) => name)).not.toContain('too much');
    expect(await countAll()).toBe(before);
  });
});
