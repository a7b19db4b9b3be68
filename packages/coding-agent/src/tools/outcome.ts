import type { ToolOutcome } from './tool.ts';

/** A failed tool is a result that the model reads: say what happened and what to do instead. */
export function failure(text: string): ToolOutcome {
  return { text, isError: true };
}

/** What an operation's error tells the model. An abort is no result; it ends the turn. */
export function failureFrom(error: unknown, signal: AbortSignal): ToolOutcome {
  signal.throwIfAborted();
  return failure(error instanceof Error ? error.message : String(error));
}
