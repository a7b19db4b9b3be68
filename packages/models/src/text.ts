/** The beginning of a text, at most so many characters, and never half of a pair of surrogates: providers refuse those. */
export function headOf(text: string, maxCharacters: number): string {
  if (text.length <= maxCharacters) return text;
  return text.slice(0, isInsidePair(text, maxCharacters) ? maxCharacters - 1 : maxCharacters);
}

/** The end of a text, cut as carefully. */
export function tailOf(text: string, maxCharacters: number): string {
  if (text.length <= maxCharacters) return text;
  const start = text.length - maxCharacters;
  return text.slice(isInsidePair(text, start) ? start + 1 : start);
}

/** The text as valid Unicode: a half of a pair, as other programs leave behind, becomes a replacement character. */
export function wellFormed(text: string): string {
  return text.replace(LONE_SURROGATES, '\uFFFD');
}

const LONE_SURROGATES = /[\uD800-\uDBFF](?![\uDC00-\uDFFF])|(?<![\uD800-\uDBFF])[\uDC00-\uDFFF]/g;

function isInsidePair(text: string, at: number): boolean {
  const before = text.charCodeAt(at - 1);
  const after = text.charCodeAt(at);
  return before >= 0xd800 && before < 0xdc00 && after >= 0xdc00 && after < 0xe000;
}
