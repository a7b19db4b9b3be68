import { symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { createBench } from '../../../test/run-tool.ts';
import { listFiles } from './list-files.ts';

const TREE = {
  '.gitignore': '*.log\nnode_modules/\n/build\n',
  '.git/config': 'x',
  'a.ts': '',
  'b.log': '',
  'build/out.js': '',
  'docs/build/page.md': '',
  'node_modules/x/index.js': '',
  'src/.gitignore': 'secret.ts\n!keep.log\n',
  'src/c.ts': '',
  'src/keep.log': '',
  'src/secret.ts': '',
  'src/deep/d.test.ts': '',
};

describe('list_files', () => {
  it('lists one directory, without what .gitignore leaves out', async () => {
    const bench = await createBench(TREE);
    expect((await bench.run(listFiles, {})).text).toBe('.gitignore\na.ts\ndocs/\nsrc/');
    expect((await bench.run(listFiles, { path: 'src' })).text).toBe('.gitignore\nc.ts\ndeep/\nkeep.log');
  });

  it('lists everything below, nested .gitignore files included', async () => {
    const bench = await createBench(TREE);
    const { text } = await bench.run(listFiles, { recursive: true });
    expect(text.split('\n')).toEqual([
      '.gitignore',
      'a.ts',
      'docs/',
      'docs/build/',
      'docs/build/page.md',
      'src/',
      'src/.gitignore',
      'src/c.ts',
      'src/deep/',
      'src/deep/d.test.ts',
      'src/keep.log',
    ]);
  });

  it('heeds the rules of the project when only a part of it is listed', async () => {
    const bench = await createBench({
      '.gitignore': 'dist/\n/src/gen\n',
      'src/dist/x.js': '',
      'src/gen/y.ts': '',
      'src/z.ts': '',
    });
    expect((await bench.run(listFiles, { path: 'src', recursive: true })).text).toBe('z.ts');
  });

  it('lists what fits a pattern, and what is ignored when asked for it', async () => {
    const bench = await createBench(TREE);
    expect((await bench.run(listFiles, { pattern: '*.ts' })).text).toBe('a.ts\nsrc/c.ts\nsrc/deep/d.test.ts');
    expect((await bench.run(listFiles, { pattern: '*.log', include_ignored: true })).text).toBe('b.log\nsrc/keep.log');
    expect((await bench.run(listFiles, { pattern: '*.py' })).text).toBe('No file fits *.py.');
  });

  it('names links and does not follow them', async () => {
    const bench = await createBench({ 'in/a.txt': '' });
    await symlink('/etc', join(bench.cwd, 'link'));
    expect((await bench.run(listFiles, { recursive: true })).text).toBe('in/\nin/a.txt\nlink');
  });

  it('cuts a long list and says so', async () => {
    const bench = await createBench(Object.fromEntries(Array.from({ length: 1005 }, (_, n) => [`f${n}`, ''])));
    const { text, rawOutput } = await bench.run(listFiles, {});
    expect(text).toContain('(more than 1000; narrow the pattern or the path)');
    expect(rawOutput).toEqual({ count: 1000, isCut: true });
  });

  it('says what cannot be listed', async () => {
    const bench = await createBench({ 'a.txt': '' });
    expect((await bench.run(listFiles, { path: 'none' })).text).toBe('none does not exist.');
    expect((await bench.run(listFiles, { path: 'a.txt' })).text).toContain('is a file');
    expect((await bench.run(listFiles, { path: '..' })).isError).toBe(true);
  });
});
