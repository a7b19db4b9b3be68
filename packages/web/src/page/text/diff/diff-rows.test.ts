import { diffLines } from '@parley/session/diff';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { countChanges, splitRows, unifiedRows } from './diff-rows.ts';

const line = fc.constantFrom('a b c', 'a x c', '', '  indented', 'const a = 1;', 'const b = 1;', '}');
const text = (cell: { readonly words: readonly { readonly text: string }[] } | undefined): string | undefined =>
  cell?.words.map(({ text: word }) => word).join('');

describe('the rows of a diff', () => {
  it('have every changed line with its whole text, in either form', () => {
    fc.assert(
      fc.property(fc.array(line, { maxLength: 30 }), fc.array(line, { maxLength: 30 }), (before, after) => {
        const diff = diffLines(before, after);
        const changed = (kind: string): string[] => diff.filter((each) => each.kind === kind).map((each) => each.text);
        const unified = unifiedRows([diff]).filter((row) => row.kind === 'removed' || row.kind === 'added');
        for (const kind of ['removed', 'added']) {
          expect(unified.filter((row) => row.kind === kind).map((row) => text(row as never))).toEqual(changed(kind));
        }
        const pairs = splitRows([diff]).flatMap((row) => (row.kind === 'pair' ? [row] : []));
        expect(pairs.flatMap(({ left }) => (left?.kind === 'removed' ? [text(left)] : []))).toEqual(changed('removed'));
        expect(pairs.flatMap(({ right }) => (right?.kind === 'added' ? [text(right)] : []))).toEqual(changed('added'));
        expect(countChanges([diff])).toEqual({ added: changed('added').length, removed: changed('removed').length });
      }),
      { seed: 4, numRuns: 200 },
    );
  });

  it('mark the words that differ', () => {
    const [removed, added] = unifiedRows([diffLines(['await sleep(100)'], ['await clock.sleep(100)'])]);
    expect(removed).toMatchObject({
      kind: 'removed',
      oldNumber: 1,
      words: [{ text: 'await sleep(100)', isChanged: false }],
    });
    expect(added).toMatchObject({
      kind: 'added',
      newNumber: 1,
      words: [
        { text: 'await ', isChanged: false },
        { text: 'clock.', isChanged: true },
        { text: 'sleep(100)', isChanged: false },
      ],
    });
  });

  it('leave out what is far from every change', () => {
    const before = Array.from({ length: 40 }, (_, index) => `line ${index}`);
    const rows = unifiedRows([diffLines(before, before.with(20, 'changed'))]);
    expect(rows.map((row) => (row.kind === 'gap' ? `… ${row.lines}` : row.kind[0]))).toEqual([
      '… 17',
      's',
      's',
      's',
      'r',
      'a',
      's',
      's',
      's',
      '… 16',
    ]);
  });
});
