import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import fc from 'fast-check';
import { afterAll, describe, expect, it } from 'vitest';
import { gitPatch } from './index.ts';

const root = mkdtempSync(join(tmpdir(), 'git-patch-'));
git('init', '--quiet');
afterAll(() => rmSync(root, { recursive: true, force: true }));

function git(...args: string[]): void {
  execFileSync('git', args, { cwd: root, stdio: ['ignore', 'ignore', 'pipe'] });
}

/** What git makes of the old texts by the patches of all changes. */
function applyAll(
  changes: readonly { readonly path: string; readonly oldText: string | null; readonly newText: string }[],
): string[] {
  const fileOf = (path: string): string => join(root, path);
  for (const { path, oldText } of changes) {
    rmSync(fileOf(path), { force: true });
    mkdirSync(dirname(fileOf(path)), { recursive: true });
    if (oldText !== null) writeFileSync(fileOf(path), oldText);
  }
  const patch = changes.map((change) => gitPatch(change) ?? '').join('');
  if (patch !== '') {
    writeFileSync(join(root, 'all.patch'), patch);
    git('-c', 'core.autocrlf=false', 'apply', '--check', '--whitespace=nowarn', 'all.patch');
    git('-c', 'core.autocrlf=false', 'apply', '--whitespace=nowarn', 'all.patch');
  }
  return changes.map(({ path }) => readFileSync(fileOf(path), 'utf8'));
}

describe('a patch', () => {
  it('names the file from the root, with its surroundings', () => {
    const before = Array.from({ length: 12 }, (_, index) => `line ${index + 1}\n`);
    expect(
      gitPatch({ path: '/home/me/a.ts', oldText: before.join(''), newText: before.with(5, 'six\n').join('') }),
    ).toBe(
      [
        'diff --git a/home/me/a.ts b/home/me/a.ts',
        '--- a/home/me/a.ts',
        '+++ b/home/me/a.ts',
        '@@ -3,7 +3,7 @@',
        ' line 3',
        ' line 4',
        ' line 5',
        '-line 6',
        '+six',
        ' line 7',
        ' line 8',
        ' line 9',
        '',
      ].join('\n'),
    );
  });

  it('of a new file begins with nothing, and says so of a last line without a break', () => {
    expect(gitPatch({ path: 'C:\\me\\a b.ts', newText: 'one' })).toBe(
      'diff --git a/C:/me/a b.ts b/C:/me/a b.ts\nnew file mode 100644\n--- /dev/null\n+++ b/C:/me/a b.ts\t\n' +
        '@@ -0,0 +1,1 @@\n+one\n\\ No newline at end of file\n',
    );
  });

  it('is none where nothing is changed', () => {
    expect(gitPatch({ path: '/a', oldText: 'same', newText: 'same' })).toBeUndefined();
  });

  it('is taken by git, and makes the new text of the old one', () => {
    const line = fc.constantFrom(
      'a',
      'b',
      '',
      ' ',
      '\\ No newline at end of file',
      '--- x',
      '@@ -1 +1 @@',
      'ü\r',
      '-',
      '漢字',
    );
    const text = fc
      .tuple(fc.array(line, { maxLength: 40 }), fc.boolean())
      .map(([lines, isBroken]) => (isBroken && lines.length > 0 ? `${lines.join('\n')}\n` : lines.join('\n')));
    const changes = fc.array(fc.record({ oldText: fc.option(text), newText: text }), { minLength: 30, maxLength: 60 });
    fc.assert(
      fc.property(changes, (each) => {
        const named = each.map((change, index) => ({ ...change, path: `/home/file ${index}.txt` }));
        expect(applyAll(named)).toEqual(each.map(({ newText }) => newText));
      }),
      { seed: 11, numRuns: 12 },
    );
  });

  it.each(['/plain', '/with space', '/a "quoted" name', '/back\\slash', '/tab\tand\nbreak', '/ünïcode 漢'])(
    'names %j so that git finds it',
    (path) => {
      expect(applyAll([{ path, oldText: 'a\n', newText: 'b\n' }])).toEqual(['b\n']);
      expect(applyAll([{ path, oldText: null, newText: 'b' }])).toEqual(['b']);
    },
  );

  it('of a large file that is written anew costs no more than its length', () => {
    const lines = (word: string): string => Array.from({ length: 50_000 }, (_, index) => `${word}${index}\n`).join('');
    const [oldText, newText] = [lines('a'), lines('b')];
    expect(applyAll([{ path: '/large', oldText, newText }])).toEqual([newText]);
  });
});
