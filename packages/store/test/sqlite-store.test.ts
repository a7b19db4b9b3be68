import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll } from 'vitest';
import { sqliteStore } from '../src/index.ts';
import { sessionLogCases } from './session-log-cases.ts';

const folder = mkdtempSync(join(tmpdir(), 'parley-store-'));
afterAll(() => rmSync(folder, { recursive: true }));

let opened = 0;
sessionLogCases('in SQLite', (options) => sqliteStore({ ...options, path: join(folder, `cases-${++opened}.db`) }));
