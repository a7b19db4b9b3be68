import type { Diff } from '@parley/protocol';
import { changedRegion } from '@parley/session/diff';
import { isMissing } from '../../operations/operations.ts';
import { failure, failureFrom } from '../outcome.ts';
import { resolvePath, shownPath } from '../paths.ts';
import type { ToolContext, ToolOutcome, ToolPreview } from '../tool.ts';
import { tellMissing } from './similar-paths.ts';

/** What a change makes of a file: its new content, or why it cannot be. `before` is null for a file that is not there. */
export type Change = (before: string | null) => Changed | ChangeFault;

export interface ChangeFault {
  readonly error: string;
  /** It is because the file is not there; what is told of that comes first. */
  readonly isMissing?: boolean;
}

export interface Changed {
  readonly content: string;
  /** What was done, before the file's name. */
  readonly says: string;
  /** What the model should know besides. */
  readonly adds?: string;
  /** It does not matter what the file held. */
  readonly isBlind?: boolean;
}

/** Old and new text together; of more the changed region is shown. */
const MAX_WHOLE_CHARACTERS = 20_000;

type FileContext = Pick<ToolContext<unknown>, 'cwd' | 'operations' | 'signal'>;

/** Shows the diff that a change would make, without making it. */
export async function previewChange(context: FileContext, path: string, change: Change): Promise<ToolPreview> {
  try {
    const worked = await workOut(context, path, change);
    return 'failure' in worked ? worked : { diff: showDiff(worked.diff) };
  } catch (error) {
    return { failure: failureFrom(error, context.signal) };
  }
}

/** Reads, changes and writes one file, shows the diff, and keeps what it held for `/undo`. */
export async function changeFile(context: FileContext, path: string, change: Change): Promise<ToolOutcome> {
  const { cwd, operations, signal } = context;
  try {
    const worked = await workOut(context, path, change);
    if ('failure' in worked) return worked.failure;
    const { diff, says, adds = '' } = worked;
    const { path: file, oldText = null, newText } = diff;
    signal.throwIfAborted();
    await operations.files.write(file, newText, { signal });
    // What somebody else has added meanwhile stays unseen.
    if (oldText === null || !operations.seen.hasChanged(file, oldText)) operations.seen.note(file, newText);
    const lines = countLines(newText);
    return {
      text: `${says} ${shownPath(file, cwd)} (${lines} lines).${adds}`,
      diff: showDiff(diff),
      locations: [{ path: file, line: firstChangedLine(oldText ?? '', newText) }],
      rawOutput: { lines, bytes: Buffer.byteLength(newText), isNew: oldText === null },
      changes: [{ path: file, before: oldText, after: newText }],
    };
  } catch (error) {
    return failureFrom(error, signal);
  }
}

/** Of a large file the person is shown what changes, and some lines around it. */
function showDiff(diff: Diff): Diff {
  const { oldText, newText } = diff;
  return (oldText?.length ?? 0) + newText.length <= MAX_WHOLE_CHARACTERS ? diff : { ...changedRegion(diff) };
}

async function workOut(
  context: FileContext,
  path: string,
  change: Change,
): Promise<(Pick<Changed, 'says' | 'adds'> & { readonly diff: Diff }) | { readonly failure: ToolOutcome }> {
  const { cwd, operations, signal } = context;
  const file = resolvePath(path, cwd);
  const before = await readBefore(operations.files.read(file, { signal }));
  const changed = change(before);
  if ('error' in changed) {
    const because = changed.isMissing ? `${await tellMissing(path, context)} ` : '';
    return { failure: failure(`${because}${changed.error}`) };
  }
  const { content, says, adds, isBlind = false } = changed;
  if (!isBlind && before !== null && operations.seen.hasChanged(file, before)) {
    const what = `${shownPath(file, cwd)} has changed since you read it, by the person or by a command.`;
    return { failure: failure(`${what} Nothing was written; read it again first.`) };
  }
  if (content === before) {
    return { failure: failure(`${shownPath(file, cwd)} already has exactly this content; nothing was changed.`) };
  }
  return { diff: { path: file, oldText: before, newText: content }, says, ...(adds !== undefined && { adds }) };
}

/** A file that is not there is a new file, whatever way the reader has of saying so. */
async function readBefore(reading: Promise<string>): Promise<string | null> {
  try {
    return await reading;
  } catch (error) {
    if (isMissing(error)) return null;
    throw error;
  }
}

function countLines(text: string): number {
  return text === '' ? 0 : text.split('\n').length - (text.endsWith('\n') ? 1 : 0);
}

function firstChangedLine(before: string, after: string): number {
  let line = 1;
  const length = Math.min(before.length, after.length);
  for (let index = 0; index < length && before[index] === after[index]; index++) if (after[index] === '\n') line++;
  return line;
}
