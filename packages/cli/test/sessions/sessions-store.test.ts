import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { NewEvent, SessionRecord } from '@parley/store';
import { sqliteStore } from '@parley/store/sqlite';
import { sayAndEnd } from '@parley/testing/scripted-agent';
import { describe, expect, it } from 'vitest';
import { useParley } from '../support/parley.ts';

const parley = useParley();
const OWNER = 'told/local';
const OLD_MS = Date.parse('2020-01-01');

/** Turns as an agent logs them: each a prompt and its answer. */
function turns(...names: readonly string[]): NewEvent[] {
  return names.flatMap((name): NewEvent[] => [
    { kind: 'turn_start', body: { turnId: name } },
    { kind: 'message_chunk', body: { type: 'message_chunk', speaker: 'user', content: { type: 'text', text: name } } },
    {
      kind: 'message_chunk',
      body: { type: 'message_chunk', speaker: 'agent', content: { type: 'text', text: `answer to ${name}` } },
    },
    { kind: 'turn_end', body: { turnId: name, stopReason: 'end_turn' } },
  ]);
}

/** The file of a server with a long session, a short one, and one that nobody has used for years. */
async function newStore(name: string): Promise<string> {
  const path = join(parley.home, name);
  await using store = sqliteStore({ path });
  const log = store.log(OWNER);
  const facts = { cwd: parley.folder, metadata: { settings: {}, state: {} } };
  await log.create({ ...facts, id: 'long', title: 'Long', events: turns('one', 'two', 'three', 'four', 'five') });
  await log.create({ ...facts, id: 'short', title: 'Short', events: turns('six') });
  const copied = { createdAtMs: OLD_MS, updatedAtMs: OLD_MS, isArchived: false, parentId: null };
  await log.create({ ...facts, id: 'old', title: 'Old', events: turns('seven'), copied });
  return path;
}

async function recordsIn(path: string): Promise<Record<string, Pick<SessionRecord, 'head' | 'trimmedTo'>>> {
  await using store = sqliteStore({ path });
  const { sessions } = await store.log(OWNER).list({ archived: 'include' });
  return Object.fromEntries(sessions.map(({ id, head, trimmedTo }) => [id, { head, trimmedTo }]));
}

describe('what is kept in the store of a server', () => {
  it('is pruned by turns and by age after it was archived, once; what cannot be archived stays', async () => {
    const path = await newStore('prune.db');
    const prune = (...flags: readonly string[]) =>
      parley.run(['sessions', 'prune', '--store', path, '--keep-turns', '2', '--older-than', '365', ...flags]);
    const before = await recordsIn(path);
    const blocked = join(parley.home, 'blocked');
    writeFileSync(blocked, 'a file where the folder should be');
    const failed = await prune('--archive', blocked);
    expect(failed.code).not.toBe(0);
    expect(failed.stderr).toContain('cannot be made');
    expect(await recordsIn(path)).toEqual(before);
    expect((await prune('--dry-run')).stderr).toContain('would delete 1 sessions and 3 turns of 1 sessions');
    expect(await recordsIn(path)).toEqual(before);

    const folder = join(parley.home, 'archive');
    const done = await prune('--archive', folder);
    expect(done).toMatchObject({ code: 0, stderr: 'deleted 1 sessions and 3 turns of 1 sessions\n' });
    expect(await recordsIn(path)).toEqual({ long: { head: 20, trimmedTo: 12 }, short: { head: 4, trimmedTo: 0 } });
    const files = join(folder, encodeURIComponent(OWNER));
    expect(readdirSync(files).sort()).toEqual(['long-20.json', 'old-4.json']);
    const archived = JSON.parse(readFileSync(join(files, 'long-20.json'), 'utf8')) as { events: unknown[] };
    expect(archived.events).toHaveLength(20);
    expect((await prune('--archive', folder)).stderr).toBe('deleted 0 sessions and 0 turns of 0 sessions\n');

    const imported = await parley.run(['sessions', 'import', join(files, 'long-20.json'), '--agent', 'parley']);
    expect(imported).toMatchObject({ code: 0 });
    const history = await parley.run(['sessions', 'history', imported.stdout.trim()]);
    expect(history.stdout).toMatch(/one[\s\S]*answer to five/);
  }, 120_000);

  it('is trimmed session by session, keeps its numbers in a copy, and says what is gone', async () => {
    const path = await newStore('trim.db');
    const looked = ['--store', path, '--agent', 'told'];
    const trim = (...flags: readonly string[]) => parley.run(['sessions', 'trim', 'long', ...looked, ...flags]);
    expect(await trim()).toMatchObject({ code: 2, stderr: expect.stringContaining('--keep-turns 50') });
    {
      await using store = sqliteStore({ path });
      const { epoch } = await store.log(OWNER).acquire('long');
      const held = await trim('--keep-turns', '2');
      expect(held.code).not.toBe(0);
      expect(held.stderr).toContain('Another process works in the session long');
      await store.log(OWNER).release('long', { epoch });
    }
    expect(await trim('--keep-turns', '2')).toMatchObject({ code: 0, stdout: 'deleted 3 turns, 2 are kept\n' });
    expect(await trim('--keep-turns', '2')).toMatchObject({ stdout: 'nothing to delete; the session has 2 turns\n' });
    const copy = join(parley.home, 'copy.db');
    await parley.run(['sessions', 'copy', '--from', path, '--to', copy]);
    expect(await recordsIn(copy)).toEqual(await recordsIn(path));
    const history = await parley.run(['sessions', 'history', 'long', '--store', copy, '--agent', 'told']);
    expect(history.stdout).toMatch(/3 earlier turns are no longer kept[\s\S]*four[\s\S]*answer to five/);
    expect(history.stdout).not.toContain('answer to three');
  }, 120_000);

  it('takes prompts by --store without a server: the agent is run here, and old turns go as the settings say', async () => {
    const path = await newStore('prompt.db');
    const config = join(parley.home, 'config', 'parley');
    mkdirSync(config, { recursive: true });
    const [command = '', ...args] = parley.agentWords({ on: { 'session/prompt': sayAndEnd('heard $prompt') } });
    writeFileSync(
      join(config, 'config.json'),
      JSON.stringify({ agents: { told: { command, args } }, serve: { keepTurns: 2 } }),
    );
    const looked = ['--store', path, '--agent', 'told'];
    const prompted = await parley.run(['prompt', ...looked, '-s', 'long', 'Go on']);
    expect(prompted).toMatchObject({ code: 0, stderr: '', stdout: expect.stringContaining('Go on') });
    const history = await parley.run(['sessions', 'history', 'long', ...looked]);
    expect(history.stdout).toMatch(/earlier turns are no longer kept[\s\S]*Go on[\s\S]*Go on/);
    expect(history.stdout).not.toMatch(/^> three/m);
    expect(await parley.run(['status', ...looked, '-s', 'long'])).toMatchObject({ code: 0 });
    expect(await parley.run(['cancel', ...looked, '-s', 'long'])).toMatchObject({ stdout: 'nothing to cancel\n' });
    const begun = await parley.run(['prompt', ...looked, '--new', 'Hello']);
    expect(begun).toMatchObject({ code: 0, stderr: expect.stringMatching(/session sess_/) });
    expect(Object.keys(await recordsIn(path))).toHaveLength(4);
    const named = await parley.run(['prompt', ...looked, '--name', 'mine', 'Hello']);
    expect(named).toMatchObject({ code: 2, stderr: expect.stringContaining('have no names') });
    const refused = await parley.run(['sessions', 'fork', 'long', '--store', path]);
    expect(refused).toMatchObject({ code: 2, stderr: expect.stringContaining('parley sessions copy') });
    expect(await parley.run(['sessions', 'delete', 'short', ...looked])).toMatchObject({ stdout: 'deleted short\n' });
    expect(Object.keys(await recordsIn(path))).not.toContain('short');
  }, 120_000);
});
