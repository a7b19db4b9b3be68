import type { Frame } from '../../messages/trace.ts';
import type { Mark } from '../scenarios/scripted-agent.ts';

/** One line of the file in which the scripted agent tells the checker what has happened. */
export type TraceLine = { readonly frame: Frame } | { readonly mark: Mark; readonly pid: number };

export function parseTraceLines(text: string): readonly TraceLine[] {
  // The last line may still be under way.
  const complete = text.slice(0, text.lastIndexOf('\n') + 1);
  return complete
    .split('\n')
    .filter(Boolean)
    .map((line) => JSON.parse(line) as TraceLine);
}
