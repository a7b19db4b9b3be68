import { mkdir, mkdtemp, readFile, realpath, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createGuardedFiles, type GuardedFiles } from './guarded-files.ts';

let base: string;
let root: string;
let files: GuardedFiles;

beforeEach(async () => {
  base = await realpath(await mkdtemp(join(tmpdir(), 'parley-files-')));
  root = join(base, 'root');
  await mkdir(join(root, 'src'), { recursive: true });
  await writeFile(join(root, 'src', 'a.txt'), 'hello');
  await writeFile(join(base, 'secret.txt'), 'secret');
  await symlink(base, join(root, 'out'));
  files = createGuardedFiles({ roots: [root] });
});
afterEach(() => rm(base, { recursive: true, force: true }));

describe('guarded files', () => {
  it('are read, written, listed, moved and removed inside the roots', async () => {
    expect(await files.readText(join(root, 'src/a.txt'))).toBe('hello');
    await files.write(join(root, 'new/deep/b.txt'), Buffer.from('bye'));
    expect(await readFile(join(root, 'new/deep/b.txt'), 'utf8')).toBe('bye');
    await files.move(join(root, 'new/deep/b.txt'), join(root, 'src/c/d.txt'));
    expect((await files.list(join(root, 'src'))).map(({ name }) => name).sort()).toEqual(['a.txt', 'c']);
    await files.remove(join(root, 'src/c/d.txt'));
    expect(await files.stat(join(root, 'src/c/d.txt'))).toBeUndefined();
    await files.remove(join(root, 'src/c'));
    expect(await files.stat(join(root, 'src/c'))).toBeUndefined();
  });

  it('show the root itself as a directory', async () => {
    expect(await files.stat(root)).toMatchObject({ type: 'directory' });
    expect((await files.list(root)).map(({ name }) => name).sort()).toEqual(['out', 'src']);
  });

  it('cannot be reached outside the roots, by no operation', async () => {
    const outside = [
      join(base, 'secret.txt'),
      join(root, '../secret.txt'),
      join(root, 'out/secret.txt'),
      '/etc/passwd',
    ];
    for (const path of outside) {
      await expect(files.readText(path)).rejects.toMatchObject({ code: 'path_forbidden' });
      await expect(files.write(path, Buffer.from('x'))).rejects.toMatchObject({ code: 'path_forbidden' });
      await expect(files.remove(path)).rejects.toMatchObject({ code: 'path_forbidden' });
      await expect(files.move(path, join(root, 'stolen'))).rejects.toMatchObject({ code: 'path_forbidden' });
      await expect(files.move(join(root, 'src/a.txt'), path)).rejects.toMatchObject({ code: 'path_forbidden' });
      await expect(files.stat(path)).rejects.toMatchObject({ code: 'path_forbidden' });
    }
    await expect(files.list(base)).rejects.toMatchObject({ code: 'path_forbidden' });
    await expect(files.list(join(root, 'out'))).rejects.toMatchObject({ code: 'path_forbidden' });
    expect(await readFile(join(base, 'secret.txt'), 'utf8')).toBe('secret');
  });

  it('are not replaced by a move', async () => {
    await writeFile(join(root, 'b.txt'), 'here');
    await expect(files.move(join(root, 'src/a.txt'), join(root, 'b.txt'))).rejects.toThrow('exists already');
    expect(await readFile(join(root, 'b.txt'), 'utf8')).toBe('here');
  });

  it('are told apart when they are missing', async () => {
    await expect(files.readText(join(root, 'nope'))).rejects.toMatchObject({ code: 'file_not_found' });
    await expect(files.remove(join(root, 'nope'))).rejects.toMatchObject({ code: 'file_not_found' });
    expect(await files.stat(join(root, 'nope'))).toBeUndefined();
  });
});
