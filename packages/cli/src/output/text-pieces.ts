/** Small enough that a copy of one costs nothing, large enough that there are few. */
const PIECE_CHARACTERS = 64 * 1024;

/** Texts one behind the other, in pieces of about the same length: no second copy of all of it is made to write it. Characters stay whole. */
export function* textPieces(texts: Iterable<string>): Generator<string> {
  let piece = '';
  for (const text of texts) {
    for (let start = 0; start < text.length; ) {
      const end = start + PIECE_CHARACTERS - piece.length;
      const isWithinPair = end < text.length && /[\ud800-\udbff]/.test(text.charAt(end - 1));
      const added = text.slice(start, isWithinPair ? end + 1 : end);
      piece += added;
      start += added.length;
      if (piece.length < PIECE_CHARACTERS) continue;
      yield piece;
      piece = '';
    }
  }
  if (piece !== '') yield piece;
}

/** The JSON of an object; an iterable in it, which no JSON has, is a text in pieces. */
export function* jsonPieces(value: unknown): Generator<string> {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    yield JSON.stringify(value);
  } else if (Symbol.iterator in value) {
    yield '"';
    for (const piece of value as Iterable<string>) yield JSON.stringify(piece).slice(1, -1);
    yield '"';
  } else {
    let separator = '{';
    for (const [name, field] of Object.entries(value)) {
      if (field === undefined) continue;
      yield `${separator}${JSON.stringify(name)}:`;
      yield* jsonPieces(field);
      separator = ',';
    }
    yield separator === '{' ? '{}' : '}';
  }
}
