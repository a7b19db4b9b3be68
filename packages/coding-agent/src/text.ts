import { headOf, tailOf } from '@parley/models/model';

/** What the model and the log get of one tool's output, whichever tool it is. */
export const MAX_OUTPUT_CHARACTERS = 40_000;

/** A long output by its two ends, with a line in between that says how much is left out. */
export function shortenOutput(text: string, maxCharacters: number = MAX_OUTPUT_CHARACTERS): string {
  if (text.length <= maxCharacters) return text.trimEnd();
  const half = Math.floor(maxCharacters / 2);
  const left = text.length - 2 * half;
  return `${headOf(text, half)}\n[... ${left} characters left out ...]\n${tailOf(text, half).trimEnd()}`;
}
