import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll } from 'vitest';

/** Gives each caller a path of its own in a folder that lasts as long as the test file. */
export function temporaryPaths(): () => string {
  const folder = mkdtempSync(join(tmpdir(), 'parley-store-'));
  afterAll(() => rmSync(folder, { recursive: true, force: true }));
  let count = 0;
  return () => join(folder, String(++count), 'sessions.db');
}
