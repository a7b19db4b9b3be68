import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sqliteStore } from '@parley/store/sqlite';
import { expect, it, onTestFinished } from 'vitest';
import type { Places } from '../../places.ts';
import { SessionRecords } from './session-records.ts';

const COUNT = 10_001;

it('lists every session there is, however many', async () => {
  const state = mkdtempSync(join(tmpdir(), 'parley-records-'));
  onTestFinished(() => rmSync(state, { recursive: true }));
  const store = sqliteStore({ path: join(state, 'sessions.db') });
  const log = store.log();
  const ids = Array.from({ length: COUNT }, (_, index) => `session-${index}`);
  await Promise.all(ids.map((id) => log.create({ id, cwd: '/proj', title: id })));
  await store.close();
  await using records = new SessionRecords({ state } as Places);
  const listed = await records.list();
  expect(new Set(listed.map(({ agentSessionId }) => agentSessionId)).size).toBe(COUNT);
}, 120_000);
