import type { ToolCallContent } from '@parley/session';
import { gitPatch } from '@parley/session/diff';
import { shownDiffsOf } from '@parley/session/view';
import type { JSX } from 'preact';
import { useMemo } from 'preact/hooks';
import { shortPath } from '../short-path.ts';
import { Counts } from './counts.tsx';
import { countChanges } from './diff-rows.ts';
import { FileDiff } from './file-diff.tsx';

export interface DiffListProps {
  readonly content: readonly ToolCallContent[];
  readonly cwd: string;
  /** All of it stands open, since somebody decides about it. */
  readonly isProposed?: boolean;
}

/** The changes of files that a tool call tells, file by file. */
export function DiffList({ content, cwd, isProposed = false }: DiffListProps): JSX.Element | null {
  const diffs = useMemo(() => shownDiffsOf(content), [content]);
  if (diffs.length === 0) return null;
  const patchOf = (index: number): string => patchesOf(content)[index] ?? patchesOf(content).join('');
  return (
    <div class="diff-list">
      {diffs.map(({ path, note, hunks, endsWithoutBreak }, index) => (
        <FileDiff
          key={`${path}-${index}`}
          path={shortPath(path, cwd)}
          fullPath={path}
          note={note}
          hunks={hunks}
          endsWithoutBreak={endsWithoutBreak ?? false}
          patch={() => patchOf(index)}
          isProposed={isProposed}
        />
      ))}
    </div>
  );
}

/** A patch for each change that was told by its texts; one for all that were told as one. */
function patchesOf(content: readonly ToolCallContent[]): string[] {
  return content.flatMap((part) => {
    if (part.type === 'diff') return [gitPatch(part) ?? ''];
    return part.type === 'changes' && part.patch !== undefined ? [part.patch] : [];
  });
}

export interface DiffCountsProps {
  readonly content: readonly ToolCallContent[];
}

/** `+4 −2`. */
export function DiffCounts({ content }: DiffCountsProps): JSX.Element | null {
  const counts = useMemo(() => countChanges(shownDiffsOf(content).flatMap(({ hunks }) => hunks)), [content]);
  return <Counts {...counts} />;
}
