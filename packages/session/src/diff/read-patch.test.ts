import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { diffLines, gitPatch, readGitPatch, splitLines } from './index.ts';

describe('a patch that is read', () => {
  it('has the files and lines of the changes that it was written of', () => {
    const line = fc.constantFrom('a', 'b', '', '--- x', '+++ y', '@@ -1 +1 @@', 'ü', '\\ No newline');
    const text = fc.array(line, { maxLength: 30 }).map((lines) => lines.map((each) => `${each}\n`).join(''));
    const change = fc.record({ path: fc.constantFrom('/w/a b', '/w/"q"\t', '/w/ü'), oldText: text, newText: text });
    fc.assert(
      fc.property(fc.array(change, { maxLength: 4 }), (changes) => {
        const files = readGitPatch(changes.map((each) => gitPatch(each) ?? '').join(''));
        const changed = changes.filter(({ oldText, newText }) => oldText !== newText);
        expect(files.map(({ path }) => `/${path}`)).toEqual(changed.map(({ path }) => path));
        for (const [index, { hunks }] of files.entries()) {
          const { oldText = '', newText = '' } = changed[index] ?? {};
          const isChange = ({ kind }: { readonly kind: string }): boolean => kind !== 'same';
          expect(hunks.flat().filter(isChange)).toEqual(
            diffLines(splitLines(oldText), splitLines(newText)).filter(isChange),
          );
        }
      }),
      { seed: 2, numRuns: 200 },
    );
  });

  it('names a file that is gone as it was, and one that git quoted', () => {
    const gone = '--- a/gone\n+++ /dev/null\n@@ -1 +0,0 @@\n-x\n';
    const quoted = '--- "a/\\303\\274\\t"\n+++ "b/\\303\\274\\t"\n@@ -1 +1 @@\n-x\n+y\n';
    expect(readGitPatch(`diff --git …\ndeleted file mode 100644\n${gone}${quoted}`).map(({ path }) => path)).toEqual([
      'gone',
      'ü\t',
    ]);
  });

  it('has no files where it is no patch, or only moves them', () => {
    expect(readGitPatch('All is well.\n--- \n')).toEqual([]);
    expect(readGitPatch('diff --git a/a b/b\nsimilarity index 100%\nrename from a\nrename to b\n')).toEqual([]);
    expect(readGitPatch('@@ -1 +1 @@\n-x\n+y\n')).toEqual([]);
  });
});
