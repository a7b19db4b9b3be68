/**
 * Says whether arrays and objects are nested deeper than `maxDepth`. The exact scan is slow, so it only runs on text
 * with enough opening brackets to be that deep; the native search counts them and almost always settles the question.
 */
export function isNestedDeeperThan(text: string, maxDepth: number): boolean {
  if (text.length < 2 * maxDepth) return false;
  const squares = countUpTo(text, '[', maxDepth);
  if (squares <= maxDepth && squares + countUpTo(text, '{', maxDepth) <= maxDepth) return false;
  return measureDepthUpTo(text, maxDepth) > maxDepth;
}

/** Counts occurrences of `character`, and stops one past `limit`. */
function countUpTo(text: string, character: string, limit: number): number {
  let count = 0;
  let index = text.indexOf(character);
  while (index !== -1 && count <= limit) {
    count += 1;
    index = text.indexOf(character, index + 1);
  }
  return count;
}

/** Follows the brackets outside strings, and stops one past `limit`. */
function measureDepthUpTo(text: string, limit: number): number {
  let depth = 0;
  let deepest = 0;
  for (let index = 0; index < text.length && deepest <= limit; index += 1) {
    const code = text.charCodeAt(index);
    if (code === QUOTE) {
      index = endOfString(text, index);
    } else if (code === OPEN_SQUARE || code === OPEN_CURLY) {
      depth += 1;
      if (depth > deepest) deepest = depth;
    } else if (code === CLOSE_SQUARE || code === CLOSE_CURLY) {
      depth -= 1;
    }
  }
  return deepest;
}

/** The quote that ends the string which begins at `start`: the first that no odd number of backslashes precedes. */
function endOfString(text: string, start: number): number {
  for (let quote = text.indexOf('"', start + 1); quote !== -1; quote = text.indexOf('"', quote + 1)) {
    let before = quote - 1;
    while (text.charCodeAt(before) === BACKSLASH) before -= 1;
    if ((quote - before) % 2 === 1) return quote;
  }
  return text.length;
}

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const OPEN_SQUARE = 0x5b;
const CLOSE_SQUARE = 0x5d;
const OPEN_CURLY = 0x7b;
const CLOSE_CURLY = 0x7d;
