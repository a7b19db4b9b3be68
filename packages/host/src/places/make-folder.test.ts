import { mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { needs, PROC } from '@parley/testing/needs';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { makeFolder, makeFolderSync } from './make-folder.ts';

let root: string;
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'parley-folder-'));
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

/** Says of everything that is made in it that the folder is not there. */
const TAKES_NOTHING = '/proc/sys';

describe.each([
  ['makeFolder', makeFolder],
  ['makeFolderSync', async (path: string, mode?: number) => makeFolderSync(path, mode)],
] as const)('%s', (_name, make) => {
  it('makes what is missing for the owner alone, and tells the first that it made', async () => {
    const path = join(root, 'a', 'b', 'c');
    expect(await make(path)).toBe(join(root, 'a'));
    expect(statSync(path).isDirectory()).toBe(true);
    if (process.platform !== 'win32') expect(statSync(join(root, 'a')).mode & 0o777).toBe(0o700);
    expect(await make(path)).toBeUndefined();
    expect(await make(join(path, 'd'))).toBe(join(path, 'd'));
  });

  it('refuses a file in the way', async () => {
    writeFileSync(join(root, 'file'), '');
    await expect(make(join(root, 'file'))).rejects.toThrow('EEXIST');
    await expect(make(join(root, 'file', 'below'))).rejects.toThrow('ENOTDIR');
  });

  it('ends in a folder that takes no folders', needs(PROC), async () => {
    await expect(make(join(TAKES_NOTHING, 'parley', 'state'))).rejects.toThrow(/ENOENT|EACCES|EROFS|EPERM/);
  });
});
