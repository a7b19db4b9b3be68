import { symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { beforeEach, describe, expect, it } from 'vitest';
import { TOOLS } from '../src/tools/list.ts';
import { type Bench, createBench } from './run-tool.ts';

let bench: Bench;
beforeEach(async () => {
  bench = await createBench({
    'a.ts': 'const a = 1;\nconst b = 2;\n',
    'crlf.txt': 'one\r\ntwo\r\n',
    'bom.txt': '\uFEFFone\ntwo\n',
    'src/deep/x.ts': 'export const x = 1;\n',
    'bin.dat': Buffer.from([0, 1, 2, 3]),
    'large.log': `${'line of log\n'.repeat(300_000)}the needle\n`,
    'broken.png': 'not an image at all',
  });
  await symlink('/etc/passwd', join(bench.cwd, 'link-out'));
  await symlink('nowhere', join(bench.cwd, 'dangling'));
});

/** What a model would read. */
async function answer(name: string, input: Record<string, unknown>): Promise<string> {
  const tool = TOOLS.find((each) => each.name === name);
  if (!tool) throw new Error(`There is no ${name}.`);
  try {
    const { text, isError } = await bench.run(tool, input);
    return `${isError ? 'failed' : 'ok'}: ${text}`;
  } catch (error) {
    return `refused: ${(error as Error).message}`;
  }
}

describe('a path as models write it', () => {
  it.each<[string, string, string]>([
    ['in the words of Windows', 'src\\deep\\x.ts', 'Did you mean src/deep/x.ts?'],
    ['with a line number', 'a.ts:2', 'Did you mean a.ts?'],
    ['as a mention', '@a.ts', 'Did you mean a.ts?'],
    ['in quotes', '"a.ts"', 'Did you mean a.ts?'],
    ['with a line end', 'a.ts\n', 'Did you mean a.ts?'],
    ['in other letters', 'A.TS', 'Did you mean a.ts?'],
    ['in the wrong folder', 'lib/x.ts', 'Did you mean src/deep/x.ts?'],
    ['of a directory', 'src', 'failed: src is a directory; use list_files.'],
    ['of the working directory', '.', 'failed: . is a directory; use list_files.'],
    ['of something binary', 'bin.dat', 'is not a text file.'],
    ['of what is only called an image', 'broken.png', 'is no image'],
    ['of a link that leads out', 'link-out', 'outside the workspace'],
    ['of a link that leads nowhere', 'dangling', 'leads nowhere'],
    ['with a NUL', 'a.ts\0', 'failed: The path holds a NUL or is too long.'],
  ])('%s is answered with what to do', async (_, path, expected) => {
    expect(await answer('read_file', { path })).toContain(expected);
  });

  it('may be a file URL', async () => {
    const path = pathToFileURL(join(bench.cwd, 'a.ts')).href;
    expect(await answer('read_file', { path })).toContain('const a = 1;');
  });

  it('tells nothing of folders outside', async () => {
    expect(await answer('read_file', { path: '/ETC/passwd' })).not.toContain('Did you mean');
    expect(await answer('list_files', { path: '../src' })).not.toContain('Did you mean');
  });

  it.each<[string, Record<string, unknown>, string]>([
    ['edit_file', { path: 'A.ts', old_text: 'x', new_text: 'y' }, 'Did you mean a.ts? Use write_file to create it.'],
    ['list_files', { path: 'source/deep' }, 'Did you mean src/deep/?'],
    ['search_files', { pattern: 'x', path: 'x.ts' }, 'Did you mean src/deep/x.ts?'],
    ['move_file', { from: 'b/a.ts', to: 'c.ts' }, 'Did you mean a.ts?'],
    ['delete_file', { path: 'x.ts' }, 'Did you mean src/deep/x.ts?'],
  ])('that leads nowhere gets a hint from %s', async (name, input, expected) => {
    expect(await answer(name, input)).toContain(expected);
  });
});

describe('arguments of another kind', () => {
  it.each<[string, Record<string, unknown>, string]>([
    ['read_file', { path: 5 }, 'You sent a number.'],
    ['read_file', { path: ['a.ts'] }, 'You sent a list.'],
    ['read_file', { file_path: 'a.ts' }, 'You sent: "file_path".'],
    ['write_file', { path: 'a.json', content: { a: 1 } }, 'You sent an object; write it as text.'],
    ['write_file', { path: 'new/', content: 'x' }, '"new/" is a directory; name the file in it.'],
    ['edit_file', { path: 'a.ts', edits: 'no list' }, '"edits" must be a list. You sent a string.'],
    ['run_command', { command: ['ls', '-1'] }, 'You sent a list.'],
    ['update_plan', { entries: [{ content: 'x', status: 'done' }] }, 'not one of pending, in_progress, completed'],
    ['task', { kind: 'explorer', prompt: 'x' }, 'There are: explore, general.'],
    ['move_file', { from: 'src', to: 'src/deep/y' }, 'src cannot be moved into itself'],
  ])('are refused by %s in words that help: %j', async (name, input, expected) => {
    expect(await answer(name, input)).toContain(expected);
  });

  it.each<[string, Record<string, unknown>, string]>([
    ['read_file', { path: 'a.ts', line: '2', limit: null, extra: 1 }, 'ok:     2  const b = 2;'],
    ['read_file', { path: 'a.ts', line: 0, limit: 99_999_999 }, 'ok:     1  const a = 1;'],
    ['list_files', { path: 'src/**/*.ts' }, 'ok: src/deep/x.ts'],
    ['list_files', { path: null, pattern: null, recursive: null }, 'ok: a.ts'],
    ['search_files', { pattern: 'two$', path: 'crlf.txt', context: '0' }, 'ok: crlf.txt:2: two'],
    ['edit_file', { path: 'a.ts', edits: { old_text: 'b = 2', new_text: 'b = 3' } }, 'const b = 3;'],
    ['edit_file', { path: 'a.ts', edits: '[{"old_text":"b = 2","new_text":"b = 4"}]' }, 'const b = 4;'],
    ['edit_file', { path: 'bom.txt', old_text: 'one\n', new_text: 'uno\n' }, '\n    1  uno\n'],
    ['run_command', { command: "printf 'a\\0b'", timeout_seconds: 0 }, 'ok: ab\n'],
    ['update_plan', { entries: ['one', { content: 'two', status: null }] }, '2 steps are open'],
    ['ask_user', { question: 'Why?', choices: null }, 'No answer was given: do not assume one.'],
  ])('are understood by %s: %j', async (name, input, expected) => {
    expect(await answer(name, input)).toContain(expected);
  });

  it('keep the encoding, the line ends and the missing last line end of a file', async () => {
    await answer('edit_file', { path: 'crlf.txt', old_text: 'one\ntwo\n', new_text: 'uno\ndos\n' });
    await answer('edit_file', { path: 'bom.txt', old_text: 'two\n', new_text: 'dos\n' });
    expect(await bench.read('crlf.txt')).toBe('uno\r\ndos\r\n');
    expect(await bench.read('bom.txt')).toBe('\uFEFFone\ndos\n');
  });
});

describe('a large file', () => {
  it('is searched when it is named, and left out of the search of a folder', async () => {
    expect(await answer('search_files', { pattern: 'the needle', path: 'large.log' })).toBe(
      'ok: large.log:300001: the needle',
    );
    expect(await answer('search_files', { pattern: 'the needle' })).toContain('Nothing matches');
  });

  it('whose line numbers were copied into an edit gets told so', async () => {
    const input = { path: 'a.ts', old_text: '    1  const x = 1;\n    2  const y = 2;', new_text: '' };
    expect(await answer('edit_file', input)).toContain('It begins with the line numbers');
  });
});
