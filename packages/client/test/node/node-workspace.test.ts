import { execFileSync } from 'node:child_process';
import {
  chmod,
  link,
  mkdir,
  mkdtemp,
  readdir,
  readFile,
  realpath,
  rm,
  stat,
  symlink,
  writeFile,
} from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createNodeWorkspace } from '../../src/node/node-workspace.ts';
import { createBuffers } from '../../src/workspace/buffers.ts';
import { type Workspace, WorkspaceError, type WorkspaceOptions } from '../../src/workspace/workspace.ts';

let base = '';
let root = '';
const signal = new AbortController().signal;

beforeAll(async () => {
  base = await realpath(await mkdtemp(join(tmpdir(), 'parley-files-')));
  root = join(base, 'project');
  await mkdir(join(root, 'src'), { recursive: true });
  await writeFile(join(root, 'src', 'a.txt'), 'one\ntwo\nthree\nfour\n');
});
afterAll(() => rm(base, { recursive: true, force: true }));

function open(options: WorkspaceOptions = {}): {
  read: (path: string, line?: number, limit?: number) => Promise<string>;
  write: (path: string, content: string) => Promise<void>;
} {
  const workspace = createNodeWorkspace(options) as Required<Workspace>;
  return {
    read: (path, line, limit) =>
      workspace.readTextFile({
        sessionId: 's',
        path,
        roots: [root],
        signal,
        ...(line !== undefined && { line }),
        ...(limit !== undefined && { limit }),
      }),
    write: (path, content) => workspace.writeTextFile({ sessionId: 's', path, roots: [root], content, signal }),
  };
}

describe('reading', () => {
  it('gives the whole file, or the lines asked for', async () => {
    const { read } = open();
    const path = join(root, 'src', 'a.txt');
    expect(await read(path)).toBe('one\ntwo\nthree\nfour\n');
    expect(await read(path, 2)).toBe('two\nthree\nfour\n');
    expect(await read(path, 2, 2)).toBe('two\nthree\n');
    expect(await read(path, undefined, 1)).toBe('one\n');
    expect(await read(path, 9)).toBe('');
    expect(await read(path, 1, 0)).toBe('');
  });

  it('sees unsaved text before the disk, and takes written text over', async () => {
    const buffers = createBuffers();
    const path = join(root, 'open.txt');
    await writeFile(path, 'saved');
    buffers.open(path, 'unsaved\nsecond');
    const { read, write } = open({ buffers });
    expect(await read(path, 2)).toBe('second');
    await write(path, 'by the agent');
    expect(buffers.read(path)).toBe('by the agent');
    expect(await readFile(path, 'utf8')).toBe('by the agent');
    const outside = join(base, 'open-outside.txt');
    buffers.open(outside, 'unsaved elsewhere');
    await expect(read(outside)).rejects.toMatchObject({ code: 'path_forbidden' });
    buffers.close(path);
    expect(await read(path)).toBe('by the agent');
  });

  it('tells a missing, binary, large and improper file apart', async () => {
    const { read } = open({ maxFileBytes: 64 });
    await writeFile(join(root, 'nul'), 'a\0b');
    await writeFile(join(root, 'latin1'), Buffer.from([0x66, 0xfc, 0x72]));
    await writeFile(join(root, 'large'), 'x'.repeat(65));
    execFileSync('mkfifo', [join(root, 'pipe')]);
    const failures = {
      missing: 'file_not_found',
      'src/a.txt/b': 'file_not_found',
      nul: 'file_binary',
      latin1: 'file_binary',
      large: 'file_too_large',
      src: 'not_a_file',
      pipe: 'not_a_file',
    };
    for (const [name, code] of Object.entries(failures)) {
      await expect(read(join(root, name)), name).rejects.toMatchObject({ code, path: join(root, name) });
    }
    await expect(read(join(root, 'missing'))).rejects.toThrow(WorkspaceError);
    await expect(read('src/a.txt')).rejects.toMatchObject({ code: 'path_invalid' });
    await expect(read(`${root}/a\0b`)).rejects.toMatchObject({ code: 'path_invalid' });
    await expect(read(root)).rejects.toMatchObject({ code: 'path_forbidden' });
  });

  it('follows symlinks that stay inside', async () => {
    await symlink(join(root, 'src'), join(root, 'alias'));
    expect(await open().read(join(root, 'alias', 'a.txt'), 1, 1)).toBe('one\n');
  });

  it('keeps a byte order mark and line ends as they are', async () => {
    const path = join(root, 'bom.txt');
    await writeFile(path, '\ufeffa\r\nb\r\n');
    expect(await open().read(path)).toBe('\ufeffa\r\nb\r\n');
    expect(await open().read(path, 2)).toBe('b\r\n');
  });
});

describe('writing', () => {
  it('creates the file and the directories above it, and replaces what is there', async () => {
    const { write } = open();
    const path = join(root, 'new', 'deep', 'file.txt');
    await write(path, 'first');
    await write(path, 'second');
    expect(await readFile(path, 'utf8')).toBe('second');
    expect(await readdir(join(root, 'new', 'deep'))).toEqual(['file.txt']);
  });

  it('keeps the mode of a file, and leaves a hard link outside alone', async () => {
    const script = join(root, 'run.sh');
    await writeFile(script, 'old');
    await chmod(script, 0o750);
    const outside = join(base, 'outside.txt');
    await writeFile(outside, 'precious');
    await link(outside, join(root, 'linked.txt'));
    const { write } = open();
    await write(script, 'new');
    await write(join(root, 'linked.txt'), 'changed');
    expect((await stat(script)).mode & 0o777).toBe(0o750);
    expect(await readFile(outside, 'utf8')).toBe('precious');
  });

  it('is refused where it makes no sense, and leaves nothing behind', async () => {
    const { write } = open({ maxFileBytes: 10 });
    await expect(write(join(root, 'src'), 'x')).rejects.toMatchObject({ code: 'not_a_file' });
    await expect(write(join(root, 'pipe'), 'x')).rejects.toMatchObject({ code: 'not_a_file' });
    await expect(write(join(root, 'big'), 'x'.repeat(11))).rejects.toMatchObject({ code: 'file_too_large' });
    await expect(write(join(root, 'src', 'a.txt', 'b'), 'x')).rejects.toMatchObject({ code: 'file_not_found' });
    expect((await readdir(root)).filter((name) => name.includes('parley'))).toEqual([]);
  });

  it('is not there when the workspace is read-only', () => {
    expect(createNodeWorkspace({ isReadOnly: true }).writeTextFile).toBeUndefined();
  });
});

describe('roots', () => {
  it('given to the workspace replace those of the session', async () => {
    const other = join(base, 'other');
    await mkdir(other);
    await writeFile(join(other, 'x'), 'other');
    const { read } = open({ roots: [other] });
    expect(await read(join(other, 'x'))).toBe('other');
    await expect(read(join(root, 'src', 'a.txt'))).rejects.toMatchObject({ code: 'path_forbidden' });
  });

  it('may be symlinks themselves', async () => {
    await symlink(root, join(base, 'shortcut'));
    const { read, write } = open({ roots: [join(base, 'shortcut')] });
    expect(await read(join(base, 'shortcut', 'src', 'a.txt'), 1, 1)).toBe('one\n');
    await write(join(base, 'shortcut', 'via.txt'), 'ok');
    expect(await readFile(join(root, 'via.txt'), 'utf8')).toBe('ok');
  });
});
