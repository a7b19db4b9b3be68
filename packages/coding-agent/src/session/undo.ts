import type { FileOperations } from '../tools/operations.ts';
import type { FileBefore } from '../tools/tool.ts';

/** What the files held before the turns that changed them, newest turn last; plain data, kept in the session's state. */
export type UndoJournal = readonly (readonly FileBefore[])[];

const MAX_TURNS = 10;
const MAX_CHARACTERS = 2_000_000;

/** Adds a turn's changes: for each file what it held before the first of them. The oldest turns go when it grows too big. */
export function recordTurn(journal: UndoJournal, changes: readonly FileBefore[]): UndoJournal {
  if (changes.length === 0) return journal;
  const first = new Map<string, FileBefore>();
  for (const change of changes) if (!first.has(change.path)) first.set(change.path, change);
  const next = [...journal, [...first.values()]].slice(-MAX_TURNS);
  while (next.length > 1 && sizeOf(next) > MAX_CHARACTERS) next.shift();
  return next;
}

/** Puts the files of the last turn back as they were; tells which. */
export async function undoTurn(
  journal: UndoJournal,
  files: Pick<FileOperations, 'write' | 'remove'>,
): Promise<{ readonly journal: UndoJournal; readonly restored: readonly string[] }> {
  const changes = journal.at(-1) ?? [];
  for (const { path, content } of changes) {
    if (content === null) await files.remove(path).catch(() => {});
    else await files.write(path, content);
  }
  return { journal: journal.slice(0, -1), restored: changes.map(({ path }) => path) };
}

function sizeOf(journal: UndoJournal): number {
  return journal.flat().reduce((sum, { content }) => sum + (content?.length ?? 0), 0);
}
