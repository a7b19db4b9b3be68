import { isMissing } from './operations.ts';
import { failure, failureFrom } from './outcome.ts';
import { resolvePath, shownPath } from './paths.ts';
import type { ToolContext, ToolOutcome } from './tool.ts';

/** What a change makes of a file: its new content, or why it cannot be. `before` is null for a file that is not there. */
export type Change = (
  before: string | null,
) => { readonly content: string; readonly says: string } | { readonly error: string };

/** Reads, changes and writes one file, shows the diff, and keeps what it held for `/undo`. */
export async function changeFile(
  { cwd, operations, signal }: ToolContext<unknown>,
  path: string,
  change: Change,
): Promise<ToolOutcome> {
  const file = resolvePath(path, cwd);
  try {
    const before = await readBefore(operations.files.read(file, { signal }));
    const changed = change(before);
    if ('error' in changed) return failure(changed.error);
    const { content, says } = changed;
    if (content === before)
      return failure(`${shownPath(file, cwd)} already has exactly this content; nothing was changed.`);
    signal.throwIfAborted();
    await operations.files.write(file, content, { signal });
    return {
      text: `${says} ${shownPath(file, cwd)} (${countLines(content)} lines).`,
      diff: { path: file, oldText: before, newText: content },
      locations: [{ path: file, line: firstChangedLine(before ?? '', content) }],
      before: [{ path: file, content: before }],
    };
  } catch (error) {
    return failureFrom(error, signal);
  }
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
