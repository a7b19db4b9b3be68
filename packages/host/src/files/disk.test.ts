import { mkdirSync, mkdtempSync, realpathSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { needs, POSIX } from '@parley/testing/needs';
import { describe, expect, it } from 'vitest';
import { listFolder, realPath } from './disk.ts';

const root = realpathSync(mkdtempSync(join(tmpdir(), 'parley-disk-')));
mkdirSync(join(root, 'folder/inner'), { recursive: true });
writeFileSync(join(root, 'folder/file'), '');
symlinkSync('folder/inner', join(root, 'link'));
symlinkSync('/nowhere/at/all', join(root, 'dangling'));
symlinkSync('loop', join(root, 'loop'));

describe('the disk a policy looks at', needs(POSIX), () => {
  it('follows links as far as a path exists, and those whose target is missing', () => {
    expect(realPath(join(root, 'link/new/file'))).toBe(join(root, 'folder/inner/new/file'));
    expect(realPath(join(root, 'dangling'))).toBe('/nowhere/at/all');
    expect(realPath(join(root, 'dangling/x/../y'))).toBe('/nowhere/at/all/y');
    expect(realPath(`${root}/link/../file`)).toBe(join(root, 'folder/file'));
    expect(realPath(join(root, 'loop'))).toContain('loop');
  });

  it('takes no time for paths of many segments or many characters', () => {
    const long = `${root}${'/a'.repeat(2000)}`;
    expect(realPath(long)).toBe(long);
    const longer = `/${'a/'.repeat(20_000)}`;
    expect(realPath(longer)).toBe(longer);
    expect(listFolder(longer, 10)).toBeUndefined();
  });

  it('lists a folder up to a limit, with what each entry is', () => {
    expect([...(listFolder(root, 100) ?? [])].sort((a, b) => a.name.localeCompare(b.name))).toEqual([
      { name: 'dangling', type: 'link' },
      { name: 'folder', type: 'folder' },
      { name: 'link', type: 'link' },
      { name: 'loop', type: 'link' },
    ]);
    expect(listFolder(root, 2)).toHaveLength(2);
    expect(listFolder(join(root, 'folder/file'), 2)).toBeUndefined();
    expect(listFolder(join(root, 'missing'), 2)).toBeUndefined();
  });
});
