import { spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { isFilterInAwk } from '../src/shell/profiles/languages/awk.ts';
import { isFilterInJq } from '../src/shell/profiles/languages/jq.ts';
import { isFilterInSed } from '../src/shell/profiles/languages/sed.ts';
import { createRandom } from './shell-fuzz.ts';

/** Scripts that are made up for each language; those that are filters run in the real program. */
const SCRIPTS = 30_000;
const MAX_RUNS = 400;

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'parley-languages-'));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const SED_TOKENS = [
  ...['s/a/b/', 's,a,b,g', 's|[^x]|y|', '1,5p', '/a/d', '$!d', '10q', '/[[:space:]]/p', 's/\\(a\\)/\\1/p', '5~2p'],
  ...['w x', 'r y', 'e', 'W x', 'R y', '1e touch x', 'a\\', 'i\\', '{', '}', ':a', 'ba', 'y/a/b/', '#n', 'M', 'e;'],
  ...[
    '[',
    ']',
    '^',
    '\\',
    '/',
    ',',
    '|',
    ';',
    '\n',
    ' ',
    '!',
    '$',
    '[^]',
    '[]]',
    '[/]',
    '\\/',
    '\\n',
    '\\c',
    '&',
    'I',
    'g',
    'w',
  ],
];
const AWK_TOKENS = [
  ...[
    '{print $1}',
    '/a/',
    'NR==1',
    'END {print s}',
    '{s+=$1}',
    'length($0) > 3',
    '{ if ($1 > 2) print }',
    '!/x/',
    '$1 ~ /b/',
  ],
  ...[
    '{print > "x"}',
    'system("touch x")',
    '| "sh"',
    'getline y < "a"',
    'close("x")',
    '>> "x"',
    'print | "cat"',
    '@load "x"',
  ],
  ...[
    '"',
    '/',
    '\n',
    ';',
    '{',
    '}',
    '(',
    ')',
    '>',
    '|',
    '[',
    ']',
    '\\',
    ' ',
    '"a"',
    '/[/]/',
    '/"/',
    'a',
    '1',
    '+',
    '-',
    '++',
  ],
];

function madeUp(tokens: readonly string[], isFilter: (script: string) => boolean): readonly string[] {
  const random = createRandom(20_261_118);
  const scripts = Array.from({ length: SCRIPTS }, () =>
    Array.from({ length: 1 + random(4) }, () => tokens[random(tokens.length)] ?? '').join(random(2) === 0 ? '' : ';'),
  );
  return [...new Set(scripts)].filter(isFilter).slice(0, MAX_RUNS);
}

function run(program: string, args: readonly string[]): string {
  const { stderr } = spawnSync(program, [...args], {
    cwd: folder,
    input: 'a b\n3 x\n',
    encoding: 'utf8',
    timeout: 10_000,
  });
  return stderr;
}

describe('scripts that are taken for filters', () => {
  const isGnuSed = spawnSync('sed', ['--sandbox', 'p'], { input: '' }).status === 0;
  const onGnuSed = { skip: !isGnuSed, meta: { skipReason: 'no GNU sed found (apt-get install sed)' } };
  const onPosix = { skip: process.platform === 'win32', meta: { skipReason: 'Windows has no awk' } };

  it('are refused by no sandbox of sed', onGnuSed, () => {
    const scripts = madeUp(SED_TOKENS, isFilterInSed);
    expect(scripts.length).toBeGreaterThan(100);
    expect(scripts.filter((script) => /sandbox/.test(run('sed', ['--sandbox', script])))).toEqual([]);
  });

  it('leave no file behind in awk', onPosix, () => {
    const scripts = madeUp(AWK_TOKENS, isFilterInAwk);
    expect(scripts.length).toBeGreaterThan(100);
    for (const script of scripts) run('awk', [script]);
    expect(readdirSync(folder)).toEqual([]);
  });
});

describe('a filter', () => {
  it.each([
    ['.a.b[0]?', true],
    ['.[] | select(.level == "error") | {name, v: .x}', true],
    ['"\\(.key): \\(.value)"', true],
    ['$x + 1', true],
    ['env', false],
    ['$ENV', false],
    ['$ ENV', false],
    ['"\\(env)"', false],
    ['"\\("\\(env)")"', false],
    ['input_filename', false],
    ['import "x" as x; .', false],
    ['$__prog_args', false],
    ['.a # comment', false],
  ])('of jq is %j: %s', (program, expected) => {
    expect(isFilterInJq(program)).toBe(expected);
  });

  it.each([
    ['{print $1/2}', true],
    ['{print (a > b)}', true],
    ['NF\n/"/{system("x")};/"/', false],
    ['{print > "x"}', false],
    ['{print (1)/2}', false],
    ['{f(1)}', false],
    ['{print ENVIRON["X"]}', false],
  ])('of awk is %j: %s', (program, expected) => {
    expect(isFilterInAwk(program)).toBe(expected);
  });

  it.each([
    ['s/[[:space:]]*$//', true],
    ['s,[^],],g;s,w ../x,y,', false],
    ['s/a/b/w x', false],
    ['1e x', false],
    ['', false],
  ])('of sed is %j: %s', (script, expected) => {
    expect(isFilterInSed(script)).toBe(expected);
  });
});
