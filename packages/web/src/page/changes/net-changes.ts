import type { Entry } from '@parley/client';
import { type DiffLine, diffLines, splitLines } from '@parley/session/diff';
import { shownDiffsOf } from '@parley/session/view';
import { countChanges } from '../text/diff/diff-rows.ts';

/** What a session made of one file, all its tool calls together. */
export interface NetChange {
  readonly path: string;
  readonly note?: string;
  readonly hunks: readonly (readonly DiffLine[])[];
  readonly added: number;
  readonly removed: number;
  /** The texts before and after, where they are known. */
  readonly oldText?: string | null;
  readonly newText?: string;
}

interface Step {
  readonly oldText: string | null;
  newText: string;
}

interface FileSteps {
  /** Changes of which each begins with what the one before has left are one step. */
  readonly steps: Step[];
  readonly patches: { readonly note?: string; readonly hunks: readonly (readonly DiffLine[])[] }[];
}

/**
 * The net changes of a conversation, file by file, in the order in which they were first touched. A file that is again what it was is
 * left out. Tool calls that failed or were cancelled changed nothing.
 */
export function netChanges(entries: Iterable<Entry>): NetChange[] {
  const files = new Map<string, FileSteps>();
  const fileOf = (path: string): FileSteps => {
    const known = files.get(path) ?? { steps: [], patches: [] };
    files.set(path, known);
    return known;
  };
  for (const entry of entries) {
    if (entry.type !== 'tool_call' || entry.status === 'failed' || entry.status === 'cancelled') continue;
    for (const part of entry.content) {
      if (part.type === 'diff') addStep(fileOf(part.path), part.oldText ?? null, part.newText);
      if (part.type !== 'changes') continue;
      for (const { path, note, hunks } of shownDiffsOf([part]))
        fileOf(path).patches.push({ hunks, ...(note !== undefined && { note }) });
    }
  }
  return [...files].flatMap(([path, file]) => netOf(path, file));
}

function addStep({ steps }: FileSteps, oldText: string | null, newText: string): void {
  const last = steps.at(-1);
  if (last && last.newText === oldText) last.newText = newText;
  else steps.push({ oldText, newText });
}

function netOf(path: string, { steps, patches }: FileSteps): NetChange[] {
  const changed = steps.filter(({ oldText, newText }) => oldText !== newText);
  const hunks = [
    ...changed.map(({ oldText, newText }) => diffLines(splitLines(oldText ?? ''), splitLines(newText))),
    ...patches.flatMap((patch) => patch.hunks),
  ];
  if (changed.length === 0 && patches.length === 0) return [];
  const [only] = changed;
  const note = only?.oldText === null ? 'new file' : patches.findLast((patch) => patch.note !== undefined)?.note;
  const isOneStep = changed.length === 1 && patches.length === 0 && only !== undefined;
  return [{ path, hunks, ...(note !== undefined && { note }), ...(isOneStep && only), ...countChanges(hunks) }];
}
