import { diffLines, gitPatch, readGitPatch, splitLines } from '@parley/session/diff';
import { describe, expect, it } from 'vitest';
import type { FileStep } from './file-steps.ts';
import { undoSteps } from './undo-steps.ts';

const text = (...lines: string[]): string => lines.map((line) => `${line}\n`).join('');

/** A change as a patch tells it: some lines around each hunk, and not the whole file. */
function patched(before: string, after: string): FileStep {
  const patch = gitPatch({ path: '/a', oldText: before, newText: after }) ?? '';
  return { path: '/a', hunks: readGitPatch(patch)[0]?.hunks ?? [] };
}

const numbers = Array.from({ length: 30 }, (_, index) => `line ${index + 1}`);

describe('changes of a file are undone', () => {
  it('one after the other, the last one first', () => {
    const first = text(...numbers.with(3, 'four'));
    const second = text(...numbers.with(3, 'vier').with(20, 'twenty-one'));
    const steps = [patched(text(...numbers), first), patched(first, second)];
    expect(undoSteps(second, steps)).toEqual({ text: text(...numbers) });
  });

  it('though the person has changed other lines meanwhile, which stay', () => {
    const step = patched(text(...numbers), text(...numbers.with(20, 'changed')));
    const now = text('mine', ...numbers.with(20, 'changed'));
    expect(undoSteps(now, [step])).toEqual({ text: text('mine', ...numbers) });
  });

  it('not where somebody has changed the same lines', () => {
    const step = patched(text(...numbers), text(...numbers.with(20, 'changed')));
    expect(undoSteps(text(...numbers.with(20, 'changed again')), [step])).toBeUndefined();
  });

  it('to no file, where they made it, and to the file, where they deleted it', () => {
    const made: FileStep = { path: '/a', note: 'new file', hunks: [diffLines([], ['one'])] };
    const deleted: FileStep = { path: '/a', note: 'deleted', hunks: [diffLines(['one'], [])] };
    expect(undoSteps(text('one'), [made])).toEqual({ text: null });
    expect(undoSteps(null, [deleted])).toEqual({ text: text('one') });
    expect(undoSteps(null, [made])).toBeUndefined();
  });

  it('exactly, where both texts were told', () => {
    const [before, after] = ['a\r\nb', 'a\r\nc\n'];
    const hunks = [diffLines(splitLines(before), splitLines(after))];
    expect(undoSteps(after, [{ path: '/a', hunks, texts: { before, after } }])).toEqual({ text: before });
  });
});
