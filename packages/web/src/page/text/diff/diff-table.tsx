import type { DiffLine } from '@parley/session/diff';
import { wordCount } from '@parley/session/view';
import type { ComponentChildren, JSX } from 'preact';
import { useMemo, useState } from 'preact/hooks';
import { visibleText } from '../visible-text.ts';
import { type DiffCell, type DiffGap, type SplitRow, splitRows, type UnifiedRow, unifiedRows } from './diff-rows.ts';

/** Rows that are drawn before somebody asks for all. */
const MAX_ROWS = 600;

interface DiffTableProps {
  readonly hunks: readonly (readonly DiffLine[])[];
  readonly isSplit: boolean;
  readonly label: string;
}

/** The lines of a change as a table that scrolls by itself; the signs are written out, so that nothing depends on colours. */
export function DiffTable({ hunks, isSplit, label }: DiffTableProps): JSX.Element {
  const [isWhole, setWhole] = useState(false);
  const rows = useMemo(
    (): readonly (UnifiedRow | SplitRow)[] => (isSplit ? splitRows(hunks) : unifiedRows(hunks)),
    [hunks, isSplit],
  );
  const shown = isWhole ? rows : rows.slice(0, MAX_ROWS);
  return (
    <section class="diff-scroll" aria-label={label} {...FOCUSABLE}>
      <table class={isSplit ? 'diff-table diff-split' : 'diff-table'}>
        <tbody>
          {shown.map((row, index) => (
            <tr key={index} class={row.kind === 'pair' ? undefined : `diff-${row.kind}`}>
              {drawRow(row, isSplit)}
            </tr>
          ))}
        </tbody>
      </table>
      {shown.length < rows.length && (
        <button type="button" class="text-button diff-rest" onClick={() => setWhole(true)}>
          Show {wordCount(rows.length - shown.length, 'more line')}
        </button>
      )}
    </section>
  );
}

/** What scrolls must be reached by the keyboard. */
const FOCUSABLE = { tabIndex: 0 };

function drawRow(row: UnifiedRow | SplitRow, isSplit: boolean): ComponentChildren {
  if (row.kind === 'gap') return drawGap(row, isSplit);
  if (row.kind === 'pair')
    return (
      <>
        {drawSide(row.left, 'removed')}
        {drawSide(row.right, 'added')}
      </>
    );
  return (
    <>
      <td class="diff-number">{row.oldNumber}</td>
      <td class="diff-number">{row.newNumber}</td>
      {drawText(row)}
    </>
  );
}

function drawGap({ lines }: DiffGap, isSplit: boolean): JSX.Element {
  return (
    <td class="diff-gap-text" colSpan={isSplit ? 4 : 3}>
      {lines === 0 ? '⋯' : `⋯ ${wordCount(lines, 'line')} without change`}
    </td>
  );
}

function drawSide(cell: DiffCell | undefined, side: 'removed' | 'added'): JSX.Element {
  if (!cell)
    return (
      <>
        <td class="diff-number" />
        <td class="diff-text diff-nothing" />
      </>
    );
  const kind = cell.kind === 'same' ? '' : ` diff-${side}-side`;
  return (
    <>
      <td class={`diff-number${kind}`}>{cell.number}</td>
      {drawText(cell, kind)}
    </>
  );
}

const SIGNS = { same: ' ', added: '+', removed: '-' } as const;

function drawText({ kind, words }: Pick<DiffCell, 'kind' | 'words'>, extra = ''): JSX.Element {
  const text = words.map(({ text: word, isChanged }, index) =>
    isChanged ? (
      <mark key={index} class="diff-word">
        {visibleText(word)}
      </mark>
    ) : (
      visibleText(word)
    ),
  );
  const line = kind === 'added' ? <ins>{text}</ins> : kind === 'removed' ? <del>{text}</del> : text;
  return (
    <td class={`diff-text${extra}`}>
      <span class="diff-sign">{SIGNS[kind]}</span>
      {line}
    </td>
  );
}
