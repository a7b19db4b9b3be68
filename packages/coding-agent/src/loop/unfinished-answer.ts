import type { Answer, ToolCallPart, ToolResult } from '@parley/models/model';

/** How often in a row a model is asked to go on that ends without having ended. */
export const MAX_CONTINUATIONS = 3;

/** An answer that is no end: it broke off at a limit (`cut`), or there is nothing in it (`empty`), thoughts left out. */
export type UnfinishedAnswer = 'cut' | 'empty';

export function unfinished({ content, stopReason }: Answer): UnfinishedAnswer | undefined {
  if (stopReason === 'refusal') return undefined;
  const saysNothing = content.every(
    (part) => part.type === 'thought' || (part.type === 'text' && part.text.trim() === ''),
  );
  if (saysNothing) return 'empty';
  return stopReason === 'max_tokens' || stopReason === 'context_full' ? 'cut' : undefined;
}

/** What the model is told so that it goes on. */
export const GO_ON: Readonly<Record<UnfinishedAnswer, string>> = {
  cut: 'Your answer broke off, because it reached the limit of its length. Go on exactly where it ended, without repeating what stands there.',
  empty: 'Your answer was empty. Go on with the task; if it is done, say so, and if something is in the way, say what.',
};

/** The calls of an answer that broke off may be half a plan, so that they do not run. */
export function notRun(calls: readonly ToolCallPart[]): readonly ToolResult[] {
  const text =
    'Not run: your answer broke off, because it reached the limit of its length. Call again what is still needed, in smaller pieces.';
  return calls.map(({ id, name }) => ({
    toolCallId: id,
    toolName: name,
    content: [{ type: 'text', text }],
    isError: true,
  }));
}
