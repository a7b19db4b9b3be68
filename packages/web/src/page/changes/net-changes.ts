import type { Entry } from '@parley/client';
import type { ToolCallContent } from '@parley/session';
import type { DiffLine } from '@parley/session/diff';
import { shownDiffsOf } from '@parley/session/view';
import { countChanges } from '../text/diff/diff-rows.ts';

/** What a session made of one file, all its tool calls together. */
export interface NetChange {
  readonly path: string;
  readonly note?: string;
  readonly hunks: readonly (readonly DiffLine[])[];
  readonly added: number;
  readonly removed: number;
  /** The change as an agent would tell it, where all of it is one. */
  readonly whole?: TextPart;
}

/** A change by its texts: all of the file, or the region that has changed. */
type TextPart = Extract<ToolCallContent, { readonly type: 'diff' }>;

interface FileSteps {
  /** Changes of which each begins with what the one before has left are one step. */
  readonly steps: TextPart[];
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
      if (part.type === 'diff') addStep(fileOf(part.path), part);
      if (part.type !== 'changes') continue;
      for (const { path, note, hunks } of shownDiffsOf([part]))
        fileOf(path).patches.push({ hunks, ...(note !== undefined && { note }) });
    }
  }
  return [...files].flatMap(([path, file]) => netOf(path, file));
}

function addStep({ steps }: FileSteps, part: TextPart): void {
  const last = steps.at(-1);
  if (last && last.newText === part.oldText) steps[steps.length - 1] = { ...last, newText: part.newText };
  else steps.push(part);
}

function netOf(path: string, { steps, patches }: FileSteps): NetChange[] {
  const changed = steps.filter(({ oldText, newText }) => oldText !== newText);
  const shown = [...shownDiffsOf(changed), ...patches];
  if (shown.length === 0) return [];
  const hunks = shown.flatMap((each) => each.hunks);
  const note = shown.findLast((each) => each.note !== undefined)?.note;
  const [whole] = changed;
  const isOne = changed.length === 1 && patches.length === 0 && whole !== undefined;
  return [{ path, hunks, ...(note !== undefined && { note }), ...(isOne && { whole }), ...countChanges(hunks) }];
}
