/**
 * Whether a relative path fits a glob: `*`, `?` and `[a-z]` within a name, `**` across directories, `{a,b}` for
 * alternatives. A glob without a slash fits the name in any directory, as in .gitignore. The time it takes grows with
 * the length of the path and of the glob only, whatever they hold.
 */
export function createGlob(glob: string): (path: string) => boolean {
  const alternatives = expandBraces(glob).map((each) => {
    const anchored = each.includes('/') ? each.replace(/^\.?\//, '') : `**/${each}`;
    return anchored.split('/').map((name) => (name === '**' ? ANY_DEPTH : readName(name)));
  });
  return (path) => {
    const names = path.replace(/\/$/, '').split('/');
    return alternatives.some((segments) => fits(segments, names, (segment, name) => fitsName(segment, name)));
  };
}

/** So that `{a,b}{a,b}...` does not become more alternatives than anybody can mean. */
const MAX_ALTERNATIVES = 256;

const ANY_DEPTH = Symbol('**');
const ANY_CHARACTERS = Symbol('*');

type Segment = typeof ANY_DEPTH | readonly Piece[];
/** One character of a name: any run of them, exactly one, or one that passes a test. */
type Piece = typeof ANY_CHARACTERS | ((character: string) => boolean);

function expandBraces(glob: string): readonly string[] {
  const open = glob.indexOf('{');
  const close = open < 0 ? -1 : closingBrace(glob, open);
  if (close < 0) return [glob];
  const [head, tail] = [glob.slice(0, open), expandBraces(glob.slice(close + 1))];
  const bodies = splitAlternatives(glob.slice(open + 1, close)).flatMap(expandBraces);
  return bodies.flatMap((body) => tail.map((rest) => head + body + rest)).slice(0, MAX_ALTERNATIVES);
}

function closingBrace(glob: string, open: number): number {
  let depth = 0;
  for (let at = open; at < glob.length; at++) {
    if (glob[at] === '{') depth++;
    else if (glob[at] === '}' && --depth === 0) return at;
  }
  return -1;
}

function splitAlternatives(body: string): readonly string[] {
  const parts = [''];
  let depth = 0;
  for (const character of body) {
    if (character === '{') depth++;
    if (character === '}') depth--;
    if (character === ',' && depth === 0) parts.push('');
    else parts.push((parts.pop() ?? '') + character);
  }
  return parts;
}

function readName(name: string): readonly Piece[] {
  const pieces: Piece[] = [];
  for (let at = 0; at < name.length; at++) {
    const character = name[at] ?? '';
    const close = character === '[' ? name.indexOf(']', at + 2) : -1;
    if (character === '*') {
      if (pieces.at(-1) !== ANY_CHARACTERS) pieces.push(ANY_CHARACTERS);
    } else if (character === '?') pieces.push(() => true);
    else if (close > 0) {
      pieces.push(readClass(name.slice(at + 1, close)));
      at = close;
    } else pieces.push((each) => each === character);
  }
  return pieces;
}

function readClass(body: string): (character: string) => boolean {
  const isNegated = body.startsWith('!') || body.startsWith('^');
  const members = isNegated ? body.slice(1) : body;
  return (character) => {
    for (let at = 0; at < members.length; at++) {
      const isRange = members[at + 1] === '-' && at + 2 < members.length;
      const [from = '', to = from] = isRange ? [members[at], members[at + 2]] : [members[at]];
      if (character >= from && character <= to) return !isNegated;
      if (isRange) at += 2;
    }
    return isNegated;
  };
}

function fitsName(segment: Segment, name: string): boolean {
  if (segment === ANY_DEPTH) return true;
  return fits(segment, [...name], (piece, character) => piece === ANY_CHARACTERS || piece(character));
}

/** Wildcard matching that goes back to the last wildcard only, which is all it ever needs. */
function fits<Pattern extends Segment | Piece, Value>(
  patterns: readonly Pattern[],
  values: readonly Value[],
  isFit: (pattern: Pattern, value: Value) => boolean,
): boolean {
  let pattern = 0;
  let value = 0;
  let lastWildcard = -1;
  let resumeAt = 0;
  while (value < values.length) {
    const current = patterns[pattern];
    if (current === ANY_DEPTH || current === ANY_CHARACTERS) {
      lastWildcard = pattern++;
      resumeAt = value;
    } else if (current !== undefined && isFit(current, values[value] as Value)) {
      pattern++;
      value++;
    } else if (lastWildcard >= 0) {
      pattern = lastWildcard + 1;
      value = ++resumeAt;
    } else return false;
  }
  return patterns.slice(pattern).every((left) => left === ANY_DEPTH || left === ANY_CHARACTERS);
}
