import { type Markup, markup } from '../page/markup.ts';

/** Longest text of a message or a thought; the file of results has the whole. */
const MAX_TEXT_CHARACTERS = 20_000;
/** Longest input or output of a tool. */
export const MAX_TOOL_CHARACTERS = 4_000;

/** Text of others in a block of its own, its end said to be cut where it is. */
export function textBlock(text: string, className: string, most: number = MAX_TEXT_CHARACTERS): Markup {
  if (text.length <= most) return markup`<div class="${className}">${text}</div>`;
  return markup`<div class="${className}">${text.slice(0, most)}<span class="cut"> … ${(text.length - most).toLocaleString('en')} more characters in the results</span></div>`;
}

/** Longer values are written over several lines. */
const MAX_LINE_CHARACTERS = 100;

/** Anything as text: texts as they are, values as JSON. */
export function asText(value: unknown): string {
  if (typeof value === 'string') return value;
  try {
    const line = JSON.stringify(value) ?? String(value);
    return line.length <= MAX_LINE_CHARACTERS ? line : JSON.stringify(value, null, 2);
  } catch {
    return String(value);
  }
}
