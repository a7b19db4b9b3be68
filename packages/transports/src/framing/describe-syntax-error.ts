/** Keeps the position and drops the rest: V8 quotes the input in its message, and the input may hold secrets. */
export function describeSyntaxError(error: unknown): string {
  const position = error instanceof Error ? /position (\d+)/.exec(error.message)?.[1] : undefined;
  return position === undefined ? 'not valid JSON' : `not valid JSON at position ${position}`;
}
