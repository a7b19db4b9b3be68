/** Where a text stands that differs only in what models get wrong, and what takes its place there. */
export interface TolerantMatch {
  readonly at: number;
  readonly length: number;
  readonly newText: string;
  /** What differs, for the model to read. */
  readonly differs: string;
}

/**
 * Finds text that is the same but for quotes and dashes, blanks at the ends of lines, or indentation; the narrowest kind
 * of difference counts. All places are returned: whether there may be several is for the caller to say.
 */
export function findTolerantly(text: string, oldText: string, newText: string): readonly TolerantMatch[] {
  const byCharacters = findFolded(text, oldText, newText);
  if (byCharacters.length > 0) return byCharacters;
  for (const way of LINE_WAYS) {
    const found = findLines(text, oldText, newText, way);
    if (found.length > 0) return found;
  }
  return [];
}

/** Each stands for one character, so that places in the folded text are places in the text. */
const FOLDS: readonly (readonly [pattern: RegExp, plain: string])[] = [
  [/[\u2018\u2019\u201A\u201B]/g, "'"],
  [/[\u201C\u201D\u201E\u201F]/g, '"'],
  [/[\u2010-\u2015\u2212]/g, '-'],
  [/[\u00A0\u2002-\u200A\u202F\u205F\u3000]/g, ' '],
];

function fold(text: string): string {
  return FOLDS.reduce((folded, [pattern, plain]) => folded.replace(pattern, plain), text);
}

function findFolded(text: string, oldText: string, newText: string): TolerantMatch[] {
  const [folded, wanted] = [fold(text), fold(oldText)];
  const found: TolerantMatch[] = [];
  for (let at = folded.indexOf(wanted); at >= 0; at = folded.indexOf(wanted, at + wanted.length)) {
    found.push({ at, length: wanted.length, newText, differs: 'quotes, dashes or blanks' });
  }
  return found;
}

/** How two lines are compared. */
interface LineWay {
  readonly differs: string;
  readonly key: (line: string) => string;
  readonly isReindenting: boolean;
}

const LINE_WAYS: readonly LineWay[] = [
  { differs: 'white space at the ends of lines', key: (line) => fold(line).trimEnd(), isReindenting: false },
  { differs: 'indentation', key: (line) => fold(line).trim(), isReindenting: true },
];

/** Finds whole lines. */
function findLines(text: string, oldText: string, newText: string, way: LineWay): TolerantMatch[] {
  const wanted = withoutLastEnd(oldText).split('\n');
  const keys = wanted.map(way.key);
  if (keys.every((key) => key === '')) return [];
  const lines = text.split('\n');
  const lineKeys = lines.map(way.key);
  const found: TolerantMatch[] = [];
  for (let at = 0, first = 0; first + wanted.length <= lines.length; at += (lines[first++]?.length ?? 0) + 1) {
    if (!keys.every((key, index) => key === lineKeys[first + index])) continue;
    const there = lines.slice(first, first + wanted.length);
    const end = there.at(-1)?.endsWith('\r') ? '\r' : '';
    const replacement = withoutLastEnd(newText, oldText);
    found.push({
      at,
      length: there.join('\n').length,
      newText: (way.isReindenting ? reindent(replacement, wanted, there) : replacement) + end,
      differs: way.differs,
    });
  }
  return found;
}

/** Whole lines are replaced by whole lines, whether both texts end with a line end or neither does. */
function withoutLastEnd(text: string, like: string = text): string {
  return like.endsWith('\n') ? text.replace(/\r?\n$/, '') : text;
}

/** Gives new lines the indentation that the file has where the model wrote another. */
function reindent(newText: string, wanted: readonly string[], there: readonly string[]): string {
  const known = new Map<string, string>();
  for (const [index, line] of wanted.entries()) {
    if (line.trim() !== '' && !known.has(indentOf(line))) known.set(indentOf(line), indentOf(there[index] ?? ''));
  }
  // The longest that a line begins with; what it has beyond that stays.
  const written = [...known.keys()].sort((one, other) => other.length - one.length);
  return newText
    .split('\n')
    .map((line) => {
      if (line.trim() === '') return line;
      const indent = indentOf(line);
      const base = written.find((each) => indent.startsWith(each));
      if (base === undefined) return line;
      return (known.get(base) ?? '') + line.slice(base.length);
    })
    .join('\n');
}

function indentOf(line: string): string {
  return /^[ \t\u00A0]*/.exec(line)?.[0] ?? '';
}
