import { isAbsolute, resolve } from 'node:path';
import type { Entry, Transcript } from '@parley/client';
import { type ShownDiff, shownDiffsOf } from '@parley/session/view';

/** One change that a tool call has told of a file. */
export interface FileStep extends ShownDiff {
  /** The texts before and after it, where the agent told both whole; null stands for no file. */
  readonly texts?: { readonly before: string | null; readonly after: string };
}

/** What the tool calls from an entry on have changed, by file, in their order. Calls that failed have changed nothing. */
export function fileStepsOf(
  { entries }: Pick<Transcript, 'entries'>,
  cwd: string,
  first = 0,
): ReadonlyMap<string, readonly FileStep[]> {
  const steps = new Map<string, FileStep[]>();
  for (let index = first; index < entries.length; index += 1) {
    for (const step of stepsOf(entries.at(index))) {
      const path = isAbsolute(step.path) ? step.path : resolve(cwd, step.path);
      steps.set(path, [...(steps.get(path) ?? []), step]);
    }
  }
  return steps;
}

function stepsOf(entry: Entry | undefined): FileStep[] {
  if (entry?.type !== 'tool_call' || entry.status !== 'completed') return [];
  return entry.content.flatMap((part) =>
    shownDiffsOf([part]).map((diff) =>
      part.type === 'diff' ? { ...diff, texts: { before: part.oldText ?? null, after: part.newText } } : diff,
    ),
  );
}
