import { createHash } from 'node:crypto';
import type { FileOperations } from '../operations/operations.ts';
import type { FileChange } from '../tools/tool.ts';

/** What the files held before the turns that changed them, newest turn last; plain data, kept in the session's state. */
export type UndoJournal = readonly (readonly UndoEntry[])[];

/** One file: what to put back, and what it must still hold for that to be right. Null stands for no file. */
export interface UndoEntry {
  readonly path: string;
  readonly before: string | null;
  /** A hash, since nothing but equality is wanted of it. */
  readonly after: string | null;
}

export interface Undone {
  readonly journal: UndoJournal;
  readonly restored: readonly string[];
  /** Files that were changed again since, by whomever; they are left alone. */
  readonly changedSince: readonly string[];
}

const MAX_TURNS = 10;
const MAX_CHARACTERS = 2_000_000;

/** Adds a turn's changes: for each file what it held before the first and after the last. The oldest turns go when it grows too big. */
export function recordTurn(journal: UndoJournal, changes: readonly FileChange[]): UndoJournal {
  if (changes.length === 0) return journal;
  const entries = new Map<string, UndoEntry>();
  for (const { path, before, after } of changes) {
    entries.set(path, { path, before: (entries.get(path) ?? { before }).before, after: hashOf(after) });
  }
  const next = [...journal, [...entries.values()]].slice(-MAX_TURNS);
  while (next.length > 1 && sizeOf(next) > MAX_CHARACTERS) next.shift();
  return next;
}

/** Puts the files of the last turn back as they were; tells which. */
export async function undoTurn(
  journal: UndoJournal,
  files: Pick<FileOperations, 'read' | 'write' | 'remove'>,
): Promise<Undone> {
  const restored: string[] = [];
  const changedSince: string[] = [];
  for (const { path, before, after } of journal.at(-1) ?? []) {
    const now = await files.read(path).catch(() => null);
    if (hashOf(now) !== after) {
      changedSince.push(path);
      continue;
    }
    if (before !== null) await files.write(path, before);
    else if (now !== null) await files.remove(path);
    restored.push(path);
  }
  return { journal: journal.slice(0, -1), restored, changedSince };
}

function hashOf(content: string | null): string | null {
  return content === null ? null : createHash('sha256').update(content).digest('base64');
}

function sizeOf(journal: UndoJournal): number {
  return journal.flat().reduce((sum, { before }) => sum + (before?.length ?? 0), 0);
}
