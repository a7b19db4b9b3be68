import { symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { findProgram } from '@parley/host/programs';
import { describe, expect, it } from 'vitest';
import { type Bench, createBench } from '../../../test/run-tool.ts';
import type { Operations } from '../../operations/operations.ts';
import { toRipgrepExpression } from '../../operations/search/ripgrep-expression.ts';
import { ripgrepSearch } from '../../operations/search/ripgrep-search.ts';
import { searchFiles } from './search-files.ts';

const FILES = {
  '.gitignore': '*.log\n',
  '.git/config': 'needle',
  '.env.example': 'NEEDLE=1\n',
  'a.ts': 'const needle = 1;\nconst other = 2;\n',
  'b.log': 'needle',
  'binary.bin': Buffer.from('needle\0needle\n'),
  'late-binary.bin': Buffer.from(`${'needle\n'.repeat(20_000)}\0`),
  'latin.txt': Buffer.from([0x63, 0x61, 0x66, 0xe9, 0x20, 0x6e, 0x65, 0x65, 0x64, 0x6c, 0x65, 0x0a]),
  'sub/.gitignore': 'skipped.ts\n',
  'sub/c.ts': 'x.needle(1)\r\nNeedle\r\n',
  'sub/skipped.ts': 'needle',
  'sub/deep/d.md': '# needle\n',
};

/** The walker everywhere; ripgrep, too, where this machine has it. Both must find the same. */
const searchers: readonly { name: string; use: (bench: Bench) => Partial<Operations> }[] = [
  { name: 'the walker', use: () => ({}) },
];
const ripgrep = findProgram('rg');
const all =
  ripgrep === undefined
    ? searchers
    : [
        ...searchers,
        {
          name: 'ripgrep',
          use: ({ operations }: Bench): Partial<Operations> => ({
            search: ripgrepSearch(
              ripgrep,
              { search: () => Promise.reject(new Error('not by ripgrep')) },
              operations.files,
            ),
          }),
        },
      ];

describe.each(all)('search_files with $name', ({ use }) => {
  const search = async (bench: Bench, input: Record<string, unknown>): Promise<string[]> =>
    (await bench.run(searchFiles, input, { operations: use(bench) })).text.split('\n');

  it.each([
    ['foo-bar', true, 'a.txt:1: foo-bar {x}'],
    ['{x}', true, 'a.txt:1: foo-bar {x}'],
    ['foo\\-bar', false, 'a.txt:1: foo-bar {x}'],
    ['bar {', false, 'a.txt:1: foo-bar {x}'],
    ["it\\'s", false, "a.txt:2: it's"],
    ['(?i)FOO', false, 'a.txt:1: foo-bar {x}'],
    ['[[:alpha:]]+-[[:alpha:]]', false, 'a.txt:1: foo-bar {x}'],
    ['foo|nothing', false, 'a.txt:1: foo-bar {x}'],
    ['\\<bar\\>', false, 'a.txt:1: foo-bar {x}'],
    ['\\<ba\\>', false, 'Nothing matches "\\<ba\\>".'],
    ['Map\\<string\\>', false, 'a.txt:3: Map<string>'],
    ['p[\\<]s', false, 'a.txt:3: Map<string>'],
  ])('takes %j with literal %s as people write it', async (pattern, literal, expected) => {
    const bench = await createBench({ 'a.txt': "foo-bar {x}\nit's\nMap<string>\n" });
    // What ripgrep reads otherwise is not its to search.
    const { text } = await bench.run(searchFiles, { pattern, literal }, { operations: literal ? use(bench) : {} });
    expect(text).toBe(expected);
  });

  it('finds plain text in all files that are not ignored, binary or hidden in .git', async () => {
    const bench = await createBench(FILES);
    expect(await search(bench, { pattern: 'needle' })).toEqual([
      '.env.example:1: NEEDLE=1',
      'a.ts:1: const needle = 1;',
      'latin.txt:1: caf\ufffd needle',
      'sub/c.ts:1: x.needle(1)',
      'sub/c.ts:2: Needle',
      'sub/deep/d.md:1: # needle',
    ]);
  });

  it('tells upper from lower case, and takes globs and paths', async () => {
    const bench = await createBench(FILES);
    expect(await search(bench, { pattern: 'Needle', case_sensitive: true })).toEqual(['sub/c.ts:2: Needle']);
    expect(await search(bench, { pattern: 'needle', glob: '*.md' })).toEqual(['sub/deep/d.md:1: # needle']);
    expect(await search(bench, { pattern: 'needle', glob: '*.log' })).toEqual(['Nothing matches "needle".']);
    expect(await search(bench, { pattern: 'needle', path: 'sub/deep' })).toEqual(['sub/deep/d.md:1: # needle']);
    expect(await search(bench, { pattern: 'needle', path: 'a.ts', glob: '*.ts' })).toEqual([
      'a.ts:1: const needle = 1;',
    ]);
  });

  it('takes plain text for what it is, and expressions for what they are', async () => {
    const bench = await createBench({ 'a.txt': 'f(x) = [1]\nfoo_bar 12\n\\d+\nend-x\n' });
    expect(await search(bench, { pattern: 'f(x) = [', literal: true })).toEqual(['a.txt:1: f(x) = [1]']);
    expect(await search(bench, { pattern: '\\d+', literal: true })).toEqual(['a.txt:3: \\d+']);
    expect(await search(bench, { pattern: '^\\w+\\s\\d{2}$' })).toEqual(['a.txt:2: foo_bar 12']);
    expect(await search(bench, { pattern: '\\bend[-_]x|\\[1\\]' })).toEqual(['a.txt:1: f(x) = [1]', 'a.txt:4: end-x']);
  });

  it('shows lines around a match, each once, with its indentation', async () => {
    const bench = await createBench({ 'a.txt': 'one\n  two\nhit 1\nfour\nhit 2\nsix\nseven\neight\nhit 3\n' });
    expect(await search(bench, { pattern: 'hit \\d', context: 1 })).toEqual([
      'a.txt-2-   two',
      'a.txt:3: hit 1',
      'a.txt-4- four',
      'a.txt:5: hit 2',
      'a.txt-6- six',
      '--',
      'a.txt-8- eight',
      'a.txt:9: hit 3',
    ]);
    expect(await search(bench, { pattern: 'hit 3', before: 2 })).toEqual([
      'a.txt-7- seven',
      'a.txt-8- eight',
      'a.txt:9: hit 3',
    ]);
  });

  it('names only the files when that is wanted', async () => {
    const bench = await createBench(FILES);
    expect(await search(bench, { pattern: 'needle', files_only: true })).toEqual([
      '.env.example',
      'a.ts',
      'latin.txt',
      'sub/c.ts',
      'sub/deep/d.md',
    ]);
  });

  it('stops at 200 matches', async () => {
    const bench = await createBench({ 'a.txt': 'x\n'.repeat(150), 'b.txt': 'x\n'.repeat(150) });
    const lines = await search(bench, { pattern: 'x' });
    expect(lines).toHaveLength(201);
    expect(lines[199]).toBe('b.txt:50: x');
    expect(lines[200]).toContain('the first 200');
  });
});

describe('search_files', () => {
  it('does not follow links out of the workspace', async () => {
    const bench = await createBench({ 'a.txt': 'root' });
    await symlink('/etc', join(bench.cwd, 'etc'));
    expect((await bench.run(searchFiles, { pattern: 'root' })).text).toBe('a.txt:1: root');
    const outside = await bench.run(searchFiles, { pattern: 'root', path: '/etc' });
    expect(outside).toMatchObject({ isError: true });
    expect(outside.text).not.toContain('x:0:0');
  });

  it('leaves out a line on which the expression would take years, and finds the others', async () => {
    const bench = await createBench({ 'a.txt': `aaa\n${'a'.repeat(60)}b\naa\n` });
    const outcome = await bench.run(searchFiles, { pattern: '(a+)+$' });
    expect(outcome.isError).toBeUndefined();
    expect(outcome.text).toBe(
      'a.txt:1: aaa\na.txt:3: aa\n(left out, since the expression takes too long there: a.txt:2)',
    );
  });

  it('ends an expression that would take years for most lines', async () => {
    const bench = await createBench({ 'a.txt': `${'a'.repeat(60)}b\n`.repeat(40) });
    const outcome = await bench.run(searchFiles, { pattern: '(a+)+$' });
    expect(outcome).toMatchObject({ isError: true, text: expect.stringContaining('takes too long') });
  });

  it('lets a match go over several lines', async () => {
    const bench = await createBench({ 'a.ts': 'call({\r\n  a: 1,\r\n});\r\ncall({});\r\n' });
    const { text } = await bench.run(searchFiles, { pattern: 'call\\(\\{.*?a: 1', multiline: true });
    expect(text).toBe('a.ts:1: call({\na.ts:2:   a: 1,');
  });

  it('takes what is no expression for plain text, and says so', async () => {
    const bench = await createBench({ 'a.ts': 'run(x);\n' });
    const { text } = await bench.run(searchFiles, { pattern: 'run(' });
    expect(text).toContain('a.ts:1: run(x);\n(read as plain text; ');
  });

  it('finds what is in many files at its place, whatever stands around it', async () => {
    const files = Object.fromEntries(
      Array.from({ length: 100 }, (_, n) => [
        `d${n % 3}/f${n}.txt`,
        n % 5 === 0 ? '' : `one\r\ntwo ${n}${n % 2 ? '\n' : ''}`,
      ]),
    );
    const bench = await createBench({ ...files, 'd0/bin': Buffer.from([0, 116, 119, 111, 32, 55]) });
    const { text } = await bench.run(searchFiles, { pattern: '^two \\d*7$' });
    const expected = Array.from({ length: 10 }, (_, n) => n * 10 + 7).map((n) => `d${n % 3}/f${n}.txt:2: two ${n}`);
    expect(text.split('\n').sort()).toEqual(expected.sort());
  });

  it('says when there is nothing to search in', async () => {
    const bench = await createBench();
    expect((await bench.run(searchFiles, { pattern: 'x', path: 'none' })).text).toBe('none does not exist.');
  });
});

describe("ripgrep's words for an expression", () => {
  it.each([
    ['foo.*bar', 'foo.*bar'],
    ['\\w+\\d', '[0-9A-Za-z_]+[0-9]'],
    ['[\\w-]+', '[0-9A-Za-z_-]+'],
    ['\\D', '[^0-9]'],
    ['\\bfoo\\(', '(?-u:\\b)foo\\('],
    ['(?:a|b){2,3}', '(?:a|b){2,3}'],
  ])('%s is %s', (pattern, expression) => {
    expect(toRipgrepExpression(pattern)).toBe(expression);
  });

  it.each(['(?=a)b', '(?<name>a)\\k<name>', '(a)\\1', '[[:alpha:]]', '[a&&b]', '\\p{L}', '\\u0041', '[^\\W]', '[]a]'])(
    '%s stays in JavaScript',
    (pattern) => {
      expect(toRipgrepExpression(pattern)).toBeUndefined();
    },
  );
});
