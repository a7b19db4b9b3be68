import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Remembered } from '@parley/policy';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createRememberedFile } from './remembered-file.ts';

let folder: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'parley-answers-'));
});

afterAll(() => rm(folder, { recursive: true, force: true }));

const answer = (id: string, createdAt = '2026-01-01T00:00:00Z'): Remembered => ({
  id,
  effect: 'allow',
  scope: 'session',
  belongsTo: 's1',
  folder: '/proj',
  what: { type: 'exact', key: '["/proj","","execute",{"type":"line","line":"npm test"},null,null,null]' },
  shown: '`npm test`',
  createdAt,
});
const PLACE = { sessionId: 's1', project: '/proj' };

describe('the file of answers', () => {
  it('keeps an answer for a session of one agent from those of others', async () => {
    const path = join(folder, 'agents.json');
    await createRememberedFile(path, 'codex').save(answer('1'));
    expect(await createRememberedFile(path, 'codex').list(PLACE)).toMatchObject([{ id: '1', agent: 'codex' }]);
    expect(await createRememberedFile(path, 'gemini').list(PLACE)).toEqual([]);
    expect(await createRememberedFile(path).list(PLACE)).toEqual([]);
  });

  it('keeps the same answer once, and lets go of sessions that are long over', async () => {
    const store = createRememberedFile(join(folder, 'once.json'), 'codex');
    await store.save(answer('1'));
    await store.save(answer('2'));
    expect((await store.all()).map(({ id }) => id)).toEqual(['2']);
    await store.save({ ...answer('3', '2026-03-01T00:00:00Z'), belongsTo: 's2' });
    expect((await store.all()).map(({ id }) => id)).toEqual(['3']);
  });

  it.each([
    ['nothing but a kind', '["/proj","","execute",null,null,null,null]'],
    ['an unknown kind', '["/proj","","",null,null,null,null]'],
    ['a folder that a command names', '["/proj","","execute",null,["/proj"],null,null]'],
    ['a tool without its input', '["/proj","mcp__db__query","other",null,null,null,{}]'],
    ['no key', 'npm test'],
  ])('passes over an answer of an earlier version to a request with %s', async (_what, key) => {
    const path = join(folder, 'earlier.json');
    const opaque: Remembered = { ...answer('1'), what: { type: 'exact', key }, shown: 'execute' };
    await writeFile(path, JSON.stringify([opaque, answer('2')]));
    const store = createRememberedFile(path);
    expect((await store.all()).map(({ id }) => id)).toEqual(['2']);
    expect((await store.list(PLACE)).map(({ id }) => id)).toEqual(['2']);
  });
});
