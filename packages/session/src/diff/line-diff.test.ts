import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type DiffLine, diffLines, splitLines } from './index.ts';

function diff(before: string, after: string): DiffLine[] {
  return diffLines(splitLines(before), splitLines(after));
}

describe('the lines of a change', () => {
  it('make the new text of the old one', () => {
    const lines = fc.array(fc.constantFrom('a', 'b', 'c', 'd'), { maxLength: 30 });
    fc.assert(
      fc.property(lines, lines, (before, after) => {
        const changes = diffLines(before, after);
        const without = (kind: string): string[] =>
          changes.filter((line) => line.kind !== kind).map(({ text }) => text);
        expect(without('added')).toEqual(before);
        expect(without('removed')).toEqual(after);
      }),
      { seed: 7, numRuns: 200 },
    );
  });

  it.each([
    ['a\nb\nc\n', 'a\nx\nc\n', ['2-b', '2+x']],
    ['', 'new\n', ['1+new']],
    ['gone\n', '', ['1-gone']],
    ['a\na\n', 'a\na\na\n', ['3+a']],
    ['same', 'same', []],
  ])('of %j and %j have their numbers', (before, after, expected) => {
    const changed = diff(before, after).filter(({ kind }) => kind !== 'same');
    expect(
      changed.map(({ kind, oldNumber, newNumber, text }) =>
        kind === 'added' ? `${newNumber}+${text}` : `${oldNumber}-${text}`,
      ),
    ).toEqual(expected);
  });

  it('are few where few are changed', () => {
    expect(diff('a\nb\nc\na\nb\nb\na', 'c\nb\na\nb\na\nc').filter(({ kind }) => kind !== 'same')).toHaveLength(5);
  });

  it('are all of both texts where these have nothing in common', () => {
    const before = Array.from({ length: 5000 }, (_, index) => `a${index}`);
    const after = Array.from({ length: 5000 }, (_, index) => `b${index}`);
    expect(diffLines(before, after)).toHaveLength(10_000);
  });

  it('are all of both texts where it would take too long to find what is common', () => {
    // Every diagonal matches for long, and none leads to the end.
    const before = Array.from({ length: 60_000 }, (_, index) => (index % 61 === 0 ? `a${index}` : ''));
    const after = Array.from({ length: 60_000 }, (_, index) => (index % 59 === 0 ? `b${index}` : ''));
    const kinds = diffLines(before, after).map(({ kind }) => kind);
    expect(kinds.lastIndexOf('removed')).toBeLessThan(kinds.indexOf('added'));
  });
});
