import { existsSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { withFileLock } from './file-lock.ts';

const folder = mkdtempSync(join(tmpdir(), 'parley-lock-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** What a process has left that is gone. */
const LEFT = JSON.stringify({ pid: 999_999_999, startTime: 'long ago', id: 'left' });

describe('the lock of a file', () => {
  it('is taken over from a process that is gone, and given back', async () => {
    const path = join(folder, 'settings.json');
    writeFileSync(`${path}.lock`, LEFT);
    expect(await withFileLock(path, async () => existsSync(`${path}.lock`))).toBe(true);
    expect(readdirSync(folder)).toEqual([]);
  });
});
