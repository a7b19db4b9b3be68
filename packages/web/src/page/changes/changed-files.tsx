import type { DiffLine } from '@parley/session/diff';
import { wordCount } from '@parley/session/view';
import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import { Counts } from '../text/diff/counts.tsx';
import { FileDiff } from '../text/diff/file-diff.tsx';
import { visibleLine } from '../text/visible-text.ts';
import { Icon } from '../thread/icon.tsx';

interface ChangedFile {
  readonly path: string;
  readonly note?: string | undefined;
  readonly hunks: readonly (readonly DiffLine[])[];
  readonly added: number;
  readonly removed: number;
  readonly patch?: (() => string) | undefined;
}

/** Changed files with their counts; each opens to its diff. */
export function ChangedFiles({
  files,
  empty,
}: {
  readonly files: readonly ChangedFile[];
  readonly empty: string;
}): JSX.Element {
  const [opened, setOpened] = useState<ReadonlySet<string>>(new Set());
  if (files.length === 0) return <p class="changes-note">{empty}</p>;
  const sum = (side: 'added' | 'removed'): number => files.reduce((most, file) => most + file[side], 0);
  const isAllOpen = files.every(({ path }) => opened.has(path));
  const toggle = (path: string): void => {
    const next = new Set(opened);
    if (!next.delete(path)) next.add(path);
    setOpened(next);
  };
  return (
    <>
      <p class="changes-note changes-sum">
        {wordCount(files.length, 'file')} <Counts added={sum('added')} removed={sum('removed')} />
        <button
          type="button"
          class="text-button"
          onClick={() => setOpened(new Set(isAllOpen ? [] : files.map(({ path }) => path)))}
        >
          {isAllOpen ? 'Close all' : 'Open all'}
        </button>
      </p>
      <ul class="changes-files">
        {files.map((file) => {
          const { path, note, hunks, added, removed, patch } = file;
          const isOpen = opened.has(path);
          return (
            <li key={path}>
              <button type="button" class="changes-file" aria-expanded={isOpen} onClick={() => toggle(path)}>
                <Icon name="fold" />
                <span class="changes-path">{path}</span>
                {note !== undefined && <span class="changes-file-note">{visibleLine(note)}</span>}
                <Counts added={added} removed={removed} />
              </button>
              {isOpen && <FileDiff path={path} note={note} hunks={hunks} patch={patch ?? (() => writePatch(hunks))} />}
            </li>
          );
        })}
      </ul>
    </>
  );
}

const SIGNS = { same: ' ', added: '+', removed: '-' } as const;

/** The lines with their signs, where there is no whole patch. */
function writePatch(hunks: ChangedFile['hunks']): string {
  return hunks.map((lines) => lines.map(({ kind, text }) => `${SIGNS[kind]}${text}`).join('\n')).join('\n@@\n');
}
