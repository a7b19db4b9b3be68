import { describe, expect, it } from 'vitest';
import { changedRegion, gitPatch } from './index.ts';

const lines = (from: number, to: number, changed?: number): string =>
  Array.from(
    { length: to - from + 1 },
    (_, index) => `line ${from + index}${from + index === changed ? '!' : ''}\n`,
  ).join('');

describe('the region of a file that a change is about', () => {
  it('has some lines around it and the number of its first, so that a patch of it is the patch of the file', () => {
    const whole = { path: '/a.ts', oldText: lines(1, 500), newText: lines(1, 500, 200) };
    const region = changedRegion(whole);
    expect(region).toEqual({
      path: '/a.ts',
      oldText: lines(190, 210),
      newText: lines(190, 210, 200),
      _meta: { 'parley/firstLine': 190 },
    });
    expect(gitPatch(region)).toBe(gitPatch(whole));
  });

  it('is all of it where little is left out, and of a new file', () => {
    const small = { path: '/a.ts', oldText: 'a\nb', newText: 'a\nc' };
    expect(changedRegion(small)).toEqual(small);
    const fresh = { path: '/a.ts', oldText: null, newText: lines(1, 100) };
    expect(changedRegion(fresh)).toEqual(fresh);
  });

  it('may be at the end, where lines are added or the last break goes', () => {
    const added = { path: '/a.ts', oldText: lines(1, 100), newText: `${lines(1, 100)}more` };
    expect(gitPatch(changedRegion(added))).toBe(gitPatch(added));
    const cut = { path: '/a.ts', oldText: lines(1, 100), newText: lines(1, 100).trimEnd() };
    expect(gitPatch(changedRegion(cut))).toBe(gitPatch(cut));
  });
});
