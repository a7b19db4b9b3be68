import type { ToolCallContent } from '@parley/session';
import { gitPatch } from '@parley/session/diff';
import { diffPartsOf, shownDiffsOf } from '@parley/session/view';
import { textOfLine } from '@parley/terminal';
import { describe, expect, it } from 'vitest';
import { chooseMarks } from './marks.ts';
import { viewProposedDiffs } from './tool-call-view.ts';

const OPTIONS = { width: 60, marks: chooseMarks({}), now: 0, cwd: '/w', isDetailed: false, showsThoughts: false };

const BEFORE = Array.from({ length: 30 }, (_, index) => `line ${index + 1}\n`);
const AFTER = BEFORE.with(4, 'five\n').with(24, 'twenty-five\n');
const EDIT = { path: '/w/a.ts', oldText: BEFORE.join(''), newText: AFTER.join('') };

function view(...content: ToolCallContent[]): string[] {
  return viewProposedDiffs({ content, title: 'Edit' }, OPTIONS).map((line) => textOfLine(line).trimEnd());
}

function changes(
  patch: string | undefined,
  ...named: [operation: string, path: string, oldPath?: string][]
): ToolCallContent {
  return {
    type: 'changes',
    changes: named.map(([operation, path, oldPath]) => ({
      operation,
      path,
      ...(oldPath !== undefined && { oldPath }),
    })),
    ...(patch !== undefined && { patch }),
  };
}

describe('changes that come as a patch', () => {
  it('are shown as those that come as texts', () => {
    const asTexts = view({ type: 'diff', ...EDIT });
    expect(asTexts).toContain('     5 + five');
    expect(asTexts).toContain('    ⋯');
    expect(view(changes(gitPatch(EDIT), ['modify', '/w/a.ts']))).toEqual(asTexts);
  });

  it('are shown under the files that they name, with what is done to these', () => {
    const made = { path: '/w/new.ts', newText: 'new\n' };
    const patch = `${gitPatch(EDIT)}${gitPatch(made)}`;
    const shown = view(changes(patch, ['modify', '/w/a.ts'], ['add', '/w/new.ts'], ['move', '/w/c', '/w/b']));
    expect(shown).toEqual(
      expect.arrayContaining(['    a.ts', '    new.ts (new file)', '    1 + new', '    c (move of /w/b)']),
    );
  });

  it('are found also where the patch names files from another directory', () => {
    const patch = '--- a/src/x.ts\n+++ b/src/x.ts\n@@ -1 +1 @@\n-a\n+b\n--- a/y\n+++ b/y\n@@ -1 +1 @@\n-a\n+b\n';
    expect(
      shownDiffsOf([changes(patch, ['modify', '/w/src/x.ts'])]).map(({ path, hunks }) => [path, hunks.length]),
    ).toEqual([
      ['/w/src/x.ts', 1],
      ['y', 1],
    ]);
  });

  it('are no diffs without a patch, or with one that nobody here reads', () => {
    expect(diffPartsOf([changes(undefined, ['delete', '/w/a']), changes('All is well.', ['modify', '/w/a'])])).toEqual(
      [],
    );
  });
});
