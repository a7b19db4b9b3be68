import { symlink, writeFile as write } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { createBench } from '../../../test/run-tool.ts';
import { deleteFile } from './delete-file.ts';
import { editFile } from './edit-file.ts';
import { moveFile } from './move-file.ts';
import { readFile } from './read-file.ts';
import { writeFile } from './write-file.ts';

const PIXEL = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
);

describe('read_file', () => {
  it('numbers the lines it shows', async () => {
    const bench = await createBench({ 'a.txt': 'one\ntwo\nthree\n' });
    const { text, rawOutput } = await bench.run(readFile, { path: 'a.txt' });
    expect(text).toBe('    1  one\n    2  two\n    3  three');
    expect(rawOutput).toEqual({ lines: 3, totalLines: 3 });
  });

  it('shows a part, and says how to read on', async () => {
    const bench = await createBench({ 'a.txt': 'one\ntwo\nthree\nfour\n' });
    const { text } = await bench.run(readFile, { path: 'a.txt', line: '2', limit: 2 });
    expect(text).toBe('    2  two\n    3  three\n(1 more lines; read on with line: 4)');
    expect(await bench.run(readFile, { path: 'a.txt', line: 9 })).toEqual({
      text: 'The file has only 4 lines.',
      isError: true,
    });
  });

  it('cuts what no model should read at once', async () => {
    const bench = await createBench({ 'long.txt': 'x\n'.repeat(5000), 'wide.txt': 'y'.repeat(300_000) });
    const long = await bench.run(readFile, { path: 'long.txt' });
    expect(long.text.endsWith('(3000 more lines; read on with line: 2001)')).toBe(true);
    const wide = await bench.run(readFile, { path: 'wide.txt' });
    expect(wide.text.length).toBeLessThan(40_000);
  });

  it('shows an image as an image', async () => {
    const bench = await createBench({ 'p.png': PIXEL });
    const { content } = await bench.run(readFile, { path: 'p.png' });
    expect(content).toEqual([{ type: 'image', mimeType: 'image/png', data: PIXEL.toString('base64') }]);
  });

  it('says in words what is missing, binary, empty or outside', async () => {
    const bench = await createBench({ 'empty.txt': '', 'binary.bin': Buffer.from([0x7f, 0x45, 0x4c, 0x46, 0, 1]) });
    await symlink('/etc/hostname', join(bench.cwd, 'link.txt'));
    expect((await bench.run(readFile, { path: 'empty.txt' })).text).toBe('The file is empty.');
    for (const path of ['none.txt', 'binary.bin', '/etc/hostname', '../x', 'link.txt']) {
      const outcome = await bench.run(readFile, { path });
      expect(outcome.isError, path).toBe(true);
      expect(outcome.text.length, path).toBeGreaterThan(10);
    }
  });

  it('tells the model what is wrong with its arguments', () => {
    expect(() => readFile.parse({})).toThrow('"path" is required');
    expect(() => readFile.parse({ path: 'a', line: -1 })).toThrow('"line" must be a whole number from 1');
  });

  it('has a title that says which lines', () => {
    const title = (input: Record<string, unknown>): string =>
      readFile.describe(readFile.parse(input), { cwd: '/w' }).title;
    expect(title({ path: 'src/a.ts' })).toBe('Read src/a.ts');
    expect(title({ path: '/w/a.ts', line: 3, limit: 4 })).toBe('Read a.ts (lines 3-6)');
    expect(title({ path: '/else/a.ts', line: 3 })).toBe('Read /else/a.ts (from line 3)');
  });
});

describe('write_file', () => {
  it('creates a file with the directories above it', async () => {
    const bench = await createBench();
    const outcome = await bench.run(writeFile, { path: 'a/b/c.txt', content: 'new\n' });
    expect(await bench.read('a/b/c.txt')).toBe('new\n');
    const path = join(bench.cwd, 'a/b/c.txt');
    expect(outcome).toMatchObject({
      text: 'Created a/b/c.txt (1 lines).',
      diff: { path, oldText: null, newText: 'new\n' },
      changes: [{ path, before: null, after: 'new\n' }],
    });
  });

  it('replaces or adds, and refuses to do nothing', async () => {
    const bench = await createBench({ 'a.txt': 'one\n' });
    expect((await bench.run(writeFile, { path: 'a.txt', content: 'two\n', append: true })).text).toContain('Added to');
    expect(await bench.read('a.txt')).toBe('one\ntwo\n');
    expect((await bench.run(writeFile, { path: 'a.txt', content: 'x' })).text).toContain('Replaced');
    const again = await bench.run(writeFile, { path: 'a.txt', content: 'x' });
    expect(again).toMatchObject({ isError: true, text: expect.stringContaining('already has exactly this content') });
  });

  it('does not write outside of the workspace', async () => {
    const bench = await createBench();
    await symlink('/tmp', join(bench.cwd, 'out'));
    for (const path of ['../x.txt', '/tmp/parley-x.txt', 'out/x.txt']) {
      expect((await bench.run(writeFile, { path, content: 'x' })).isError, path).toBe(true);
    }
  });

  it('writes nothing once the turn is cancelled', async () => {
    const bench = await createBench();
    const signal = AbortSignal.abort(new Error('cancelled'));
    await expect(bench.run(writeFile, { path: 'a.txt', content: 'x' }, { signal })).rejects.toThrow('cancelled');
    await expect(bench.read('a.txt')).rejects.toThrow('ENOENT');
  });
});

describe('edit_file', () => {
  it('replaces exact text and points at the first changed line', async () => {
    const bench = await createBench({ 'a.ts': 'let a = 1;\nlet b = 2;\n' });
    const outcome = await bench.run(editFile, { path: 'a.ts', old_text: 'b = 2', new_text: 'b = 3' });
    expect(await bench.read('a.ts')).toBe('let a = 1;\nlet b = 3;\n');
    expect(outcome.locations).toEqual([{ path: join(bench.cwd, 'a.ts'), line: 2 }]);
  });

  it('explains why it cannot, and leaves the file alone', async () => {
    const bench = await createBench({ 'a.ts': 'if (x) {\n\treturn 1;\n}\nx\nx\n' });
    const attempt = (old_text: string) => bench.run(editFile, { path: 'a.ts', old_text, new_text: 'y' });
    expect((await attempt('if (x) {\n  return 2;')).text).toContain('line 1 is close. The file has there:\nif (x) {');
    expect((await attempt('nowhere')).text).toContain('was not found in the file');
    expect((await attempt('x')).text).toContain('stands 3 times in the file (lines 1, 4, 5)');
    expect((await bench.run(editFile, { path: 'none.ts', old_text: 'a', new_text: 'b' })).text).toContain(
      'Use write_file to create it',
    );
    expect(await bench.read('a.ts')).toBe('if (x) {\n\treturn 1;\n}\nx\nx\n');
  });

  it('replaces every place when told so', async () => {
    const bench = await createBench({ 'a.ts': 'x x x' });
    const outcome = await bench.run(editFile, { path: 'a.ts', old_text: 'x', new_text: 'y', replace_all: 'true' });
    expect(outcome.text).toBe('Replaced 3 places in a.ts (1 lines).\n    1  y y y');
    expect(await bench.read('a.ts')).toBe('y y y');
  });

  it('answers with the changed lines', async () => {
    const bench = await createBench({ 'a.ts': 'one\ntwo\nthree\nfour\nfive\nsix\nseven\neight\nnine\nten\n' });
    const { text } = await bench.run(editFile, {
      path: 'a.ts',
      edits: [
        { old_text: 'nine', new_text: '9' },
        { old_text: 'one', new_text: '1' },
      ],
    });
    expect(text).toBe(
      'Replaced 2 places in a.ts (10 lines).\n    1  1\n    2  two\n    3  three\n  ...\n    7  seven\n    8  eight\n    9  9\n   10  ten',
    );
  });

  it('makes several changes or none', async () => {
    const bench = await createBench({ 'a.ts': 'a b' });
    const edits = JSON.stringify([
      { old_text: 'a', new_text: 'x' },
      { old_text: 'c', new_text: 'y' },
    ]);
    const outcome = await bench.run(editFile, { path: 'a.ts', edits });
    expect(outcome).toMatchObject({
      isError: true,
      text: expect.stringMatching(/^Edit 2 of 2: .*Nothing was changed/s),
    });
    expect(await bench.read('a.ts')).toBe('a b');
    expect(() => editFile.parse({ path: 'a', edits: [{ old_text: 'a' }] })).toThrow('Edit 1 of "edits": "new_text"');
  });

  it('says when it overlooked a difference', async () => {
    const bench = await createBench({ 'a.ts': 'say(\u2018x\u2019);\n' });
    const { text } = await bench.run(editFile, { path: 'a.ts', old_text: "say('x')", new_text: "say('y')" });
    expect(text).toContain('was not quite what the file had (quotes, dashes or blanks)');
  });

  it('refuses a file that somebody has changed since it was read', async () => {
    const bench = await createBench({ 'a.ts': 'one\n' });
    await bench.run(readFile, { path: 'a.ts' });
    await bench.run(editFile, { path: 'a.ts', old_text: 'one', new_text: 'two' });
    const path = join(bench.cwd, 'a.ts');
    await write(path, 'two\nmine\n');
    const edit = { path: 'a.ts', old_text: 'two', new_text: 'three' };
    const refused = { isError: true, text: expect.stringContaining('a.ts has changed since you read it') };
    expect(await bench.run(editFile, edit)).toMatchObject(refused);
    expect(await bench.run(writeFile, { path: 'a.ts', content: 'x' })).toMatchObject(refused);
    await bench.run(writeFile, { path: 'a.ts', content: 'log\n', append: true });
    expect(await bench.read('a.ts')).toBe('two\nmine\nlog\n');
    expect(await bench.run(editFile, edit)).toMatchObject(refused);
    await bench.run(readFile, { path: 'a.ts' });
    expect((await bench.run(editFile, edit)).isError).toBeUndefined();
  });

  it('previews the diff without making it', async () => {
    const bench = await createBench({ 'a.ts': 'old' });
    const context = {
      args: editFile.parse({ path: 'a.ts', old_text: 'old', new_text: 'new' }),
      cwd: bench.cwd,
      roots: [bench.cwd],
      operations: bench.operations,
      signal: new AbortController().signal,
      callId: undefined,
      show: () => {},
      ask: async () => ({ isAllowed: false, optionId: undefined }),
    };
    expect(await editFile.preview?.(context)).toEqual({
      diff: { path: join(bench.cwd, 'a.ts'), oldText: 'old', newText: 'new' },
    });
    expect(await bench.read('a.ts')).toBe('old');
  });
});

describe('delete_file and move_file', () => {
  it('delete a file and keep what it held', async () => {
    const bench = await createBench({ 'a.txt': 'text' });
    const outcome = await bench.run(deleteFile, { path: 'a.txt' });
    expect(outcome.changes).toEqual([{ path: join(bench.cwd, 'a.txt'), before: 'text', after: null }]);
    await expect(bench.read('a.txt')).rejects.toThrow('ENOENT');
  });

  it('refuse directories, missing files and targets that are taken', async () => {
    const bench = await createBench({ 'dir/a.txt': 'a', 'b.txt': 'b' });
    expect((await bench.run(deleteFile, { path: 'dir' })).text).toContain('is a directory');
    expect((await bench.run(deleteFile, { path: 'none' })).text).toBe('none does not exist.');
    expect((await bench.run(moveFile, { from: 'none', to: 'c' })).text).toBe('none does not exist.');
    expect((await bench.run(moveFile, { from: 'dir/a.txt', to: 'b.txt' })).text).toContain('exists already');
    expect(await bench.read('b.txt')).toBe('b');
  });

  it('move into directories that are not there yet', async () => {
    const bench = await createBench({ 'a.txt': 'text' });
    const outcome = await bench.run(moveFile, { from: 'a.txt', to: 'new/place/b.txt' });
    expect(await bench.read('new/place/b.txt')).toBe('text');
    expect(outcome.changes).toEqual([
      { path: join(bench.cwd, 'a.txt'), before: 'text', after: null },
      { path: join(bench.cwd, 'new/place/b.txt'), before: null, after: 'text' },
    ]);
  });

  it('delete binary files, too, without anything to undo', async () => {
    const bench = await createBench({ 'a.bin': Buffer.from([0xff, 0, 0xfe]) });
    const outcome = await bench.run(deleteFile, { path: 'a.bin' });
    expect(outcome).toMatchObject({ text: 'Deleted a.bin.' });
    expect(outcome.changes).toBeUndefined();
  });
});
