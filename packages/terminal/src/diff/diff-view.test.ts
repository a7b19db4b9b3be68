import { type DiffLine, diffLines, splitLines } from '@parley/session/diff';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { textOfLine } from '../text/styled-text.ts';
import { widthOf } from '../text/wrap.ts';
import { countChanges, type DiffView, type DiffViewOptions, viewDiff } from './diff-view.ts';

function hunksOf(oldText: string, newText: string): DiffLine[][] {
  return [diffLines(splitLines(oldText), splitLines(newText))];
}

function view(oldText: string, newText: string, options: DiffViewOptions): DiffView {
  return viewDiff(hunksOf(oldText, newText), options);
}

const WIDE = { width: 60, maxRows: 100 };

describe('a diff', () => {
  it('shows changes with their surroundings and line numbers', () => {
    const before = Array.from({ length: 12 }, (_, index) => `line ${index + 1}`);
    const after = before.with(5, 'line six');
    const shown = view(`${before.join('\n')}\n`, `${after.join('\n')}\n`, WIDE);
    expect(shown.lines.map(textOfLine)).toEqual([
      ' 4   line 4',
      ' 5   line 5',
      ' 6 - line 6',
      ' 6 + line six',
      ' 7   line 7',
      ' 8   line 8',
    ]);
    expect(shown).toMatchObject({ added: 1, removed: 1, hidden: 0 });
  });

  it('emphasises the part that changed', () => {
    const { lines } = view('await sleep(100)\n', 'await clock.sleep(100)\n', WIDE);
    const strong = lines.flat().filter(({ style }) => style?.isBold);
    expect(strong.map(({ text }) => text)).toEqual(['clock.']);
  });

  it('leaves out what lies between changes', () => {
    const before = Array.from({ length: 30 }, (_, index) => `${index}`);
    const after = before.with(2, 'x').with(25, 'y');
    expect(view(before.join('\n'), after.join('\n'), WIDE).lines.map(textOfLine)).toContain('⋯');
  });

  it('shows a new file as added, and says what it left out', () => {
    const text = Array.from({ length: 50 }, (_, index) => `row ${index}\n`).join('');
    const shown = view('', text, { width: 40, maxRows: 10 });
    expect(shown.lines).toHaveLength(10);
    expect(shown).toMatchObject({ added: 50, removed: 0, hidden: 40 });
  });

  it('tells of a missing line break at the end', () => {
    const shown = view('a\n', 'a\nb', { ...WIDE, endsWithoutBreak: true });
    expect(shown.lines.map(textOfLine)).toContain('\\ No newline at the end');
  });

  it('has lines no wider than asked, and counts what it changes', () => {
    const lines = fc.array(fc.constantFrom('a', 'b', 'c', '漢字漢字漢字漢字', '\tx'), { maxLength: 30 });
    fc.assert(
      fc.property(lines, lines, fc.integer({ min: 10, max: 30 }), (before, after, width) => {
        const [oldText, newText] = [before.join('\n'), after.join('\n')];
        const shown = view(oldText, newText, { width, maxRows: 50 });
        for (const line of shown.lines) expect(widthOf(line)).toBeLessThanOrEqual(width);
        const { added, removed } = shown;
        expect(countChanges(hunksOf(oldText, newText))).toEqual({ added, removed });
      }),
      { seed: 7, numRuns: 200 },
    );
  });
});
