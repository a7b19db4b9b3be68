import type { DiffLine } from '@parley/session/diff';
import { wordCount } from '@parley/session/view';
import type { JSX } from 'preact';
import { useMemo, useState } from 'preact/hooks';
import { CopyButton } from '../copy-button.tsx';
import { visibleLine } from '../visible-text.ts';
import { Counts } from './counts.tsx';
import { countChanges } from './diff-rows.ts';
import { DiffTable } from './diff-table.tsx';

export interface FileDiffProps {
  /** As it is shown. */
  readonly path: string;
  readonly fullPath?: string;
  readonly note?: string | undefined;
  readonly hunks: readonly (readonly DiffLine[])[];
  readonly endsWithoutBreak?: boolean;
  readonly patch: () => string;
  readonly isProposed?: boolean;
}

/** The change of one file, with what can be done with it. */
export function FileDiff({
  path,
  fullPath = path,
  note,
  hunks,
  endsWithoutBreak = false,
  patch,
  isProposed = false,
}: FileDiffProps): JSX.Element {
  const [isSplit, setSplit] = useState(() => readIsSplit() && !matchMedia(NARROW).matches);
  const counts = useMemo(() => countChanges(hunks), [hunks]);
  const choose = (value: boolean): void => {
    saveIsSplit(value);
    setSplit(value);
  };
  return (
    <section class={isProposed ? 'diff diff-proposed' : 'diff'} aria-label={`Changes of ${path}`}>
      <header class="diff-head">
        <span class="diff-path" title={visibleLine(fullPath)}>
          {path}
        </span>
        {note !== undefined && <span class="diff-note">{visibleLine(note)}</span>}
        <Counts {...counts} />
        <span class="diff-tools">
          <button type="button" class="text-button diff-choice" aria-pressed={!isSplit} onClick={() => choose(false)}>
            Unified
          </button>
          <button type="button" class="text-button diff-choice" aria-pressed={isSplit} onClick={() => choose(true)}>
            Split
          </button>
          <CopyButton text={patch} what={`patch of ${path}`} />
        </span>
      </header>
      {counts.added + counts.removed === 0 ? (
        <p class="diff-empty">
          {hunks.length === 0
            ? 'No lines are shown of this change'
            : `No line differs (${wordCount(hunks.flat().length, 'line')})`}
        </p>
      ) : (
        <DiffTable hunks={hunks} isSplit={isSplit} label={`Changes of ${path}`} />
      )}
      {endsWithoutBreak && <p class="diff-empty">\ No newline at end of file</p>}
    </section>
  );
}

/** Where text.css has no room for two columns, nor for the choice. */
const NARROW = '(max-width: 480px)';

const SPLIT_KEY = 'parley.diff.split';

function readIsSplit(): boolean {
  try {
    return localStorage.getItem(SPLIT_KEY) === 'true';
  } catch {
    return false;
  }
}

function saveIsSplit(value: boolean): void {
  try {
    localStorage.setItem(SPLIT_KEY, String(value));
  } catch {
    // Without a store the choice holds for this diff.
  }
}
