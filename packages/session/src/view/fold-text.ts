/** How much of a text is shown at first. */
export interface FoldLimits {
  readonly characters: number;
  readonly lines: number;
}

/** The beginning of a text, and how many characters come after it. */
export interface FoldedText {
  readonly head: string;
  readonly hidden: number;
}

/** Cuts a long text where it is shown; whoever cuts it also shows how much is hidden, and a way to see it whole. */
export function foldText(text: string, { characters, lines }: FoldLimits): FoldedText {
  let end = Math.min(text.length, characters);
  let at = -1;
  for (let line = 0; line < lines; line += 1) {
    at = text.indexOf('\n', at + 1);
    if (at < 0) break;
  }
  if (at >= 0 && lines > 0) end = Math.min(end, at);
  // A character of two units is not cut in half.
  if (end < text.length && /[\uD800-\uDBFF]/.test(text.charAt(end - 1))) end -= 1;
  return { head: text.slice(0, end), hidden: text.length - end };
}

/** How much a fold hides: `… 12,345 more characters`. */
export function wordHidden(hidden: number): string {
  return `… ${hidden.toLocaleString('en-US')} more ${hidden === 1 ? 'character' : 'characters'}`;
}
