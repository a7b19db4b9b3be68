import { isNewFile } from '@parley/protocol';
import { firstLineOf } from '../diff/changed-region.ts';
import { type DiffLine, diffLines, splitLines } from '../diff/line-diff.ts';
import { type PatchedFile, readGitPatch } from '../diff/read-patch.ts';
import type { FileChanges, ToolCallContent } from '../parts.ts';

/** A change of one file, as views show it, whether an agent told it by its texts or by a patch. */
export interface ShownDiff {
  readonly path: string;
  /** What is done to the file, where it is not simply changed; it may quote the agent. */
  readonly note?: string;
  readonly hunks: readonly (readonly DiffLine[])[];
  readonly endsWithoutBreak?: boolean;
}

type Content = readonly ToolCallContent[] | undefined;

/** The parts of a tool call that are shown as diffs. */
export function diffPartsOf(content: Content): readonly ToolCallContent[] {
  return (content ?? []).filter(
    (part) => part.type === 'diff' || (part.type === 'changes' && filesOf(part).length > 0),
  );
}

/** The diffs of a tool call. */
export function shownDiffsOf(content: Content): ShownDiff[] {
  return (content ?? []).flatMap((part): ShownDiff[] => {
    if (part.type === 'changes') return diffsOfPatch(part);
    if (part.type !== 'diff') return [];
    const { path, oldText, newText } = part;
    return [
      {
        path,
        ...(isNewFile(part) && { note: 'new file' }),
        hunks: [diffLines(splitLines(oldText ?? ''), splitLines(newText), firstLineOf(part))],
        endsWithoutBreak: endsDifferently(oldText, newText),
      },
    ];
  });
}

function filesOf({ patch, patchFormat }: FileChanges): PatchedFile[] {
  return patch === undefined || patchFormat !== undefined ? [] : readGitPatch(patch);
}

const NOTES: Readonly<Record<string, string>> = { add: 'new file', delete: 'deleted' };

/** Every change that is named, with its lines where the patch has some; none when the patch shows nothing. */
function diffsOfPatch(part: FileChanges): ShownDiff[] {
  const files = filesOf(part);
  if (files.length === 0) return [];
  const named = part.changes.map(({ operation, path, oldPath }): ShownDiff => {
    const note = oldPath === undefined ? NOTES[operation] : `${operation} of ${oldPath}`;
    const hunks = files.find((file) => isSameFile(file.path, path))?.hunks ?? [];
    return { path, ...(note !== undefined && { note }), hunks };
  });
  const others = files.filter((file) => !part.changes.some(({ path }) => isSameFile(file.path, path)));
  return [...named, ...others];
}

/** A patch may name a file from the root, or from a directory that only the agent knows. */
function isSameFile(inPatch: string, path: string): boolean {
  const forward = path.replaceAll('\\', '/');
  return forward === inPatch || forward.endsWith(`/${inPatch}`);
}

function endsDifferently(oldText: string | null | undefined, newText: string): boolean {
  if (newText === '' || newText.endsWith('\n')) return false;
  return oldText === null || oldText === undefined || oldText.endsWith('\n');
}
