/**
 * A glob is a list of numbers: a character code, or one of the wildcards below. Text is a glob without wildcards, so one
 * walk answers both "does this text match?" and "is there a text that both globs match?", in time length x length.
 */
export type Glob = readonly number[];

/** One character that is not a slash. */
export const ANY_IN_SEGMENT = -1;
/** Any characters but a slash. */
export const STAR = -2;
/** Any characters at all. */
export const GLOBSTAR = -3;
/** Before STAR: the star stands at the start of a name, where the shell lets it match no dot. */
export const NO_DOT = -4;
/** The next two tokens may be left out: a double star and its slash, or the colon and the star of `test:*`. */
export const OPTIONAL_PAIR = -5;
/** One character, also a slash. */
export const ANY_CHARACTER = -6;

/** The glob that matches exactly this text. */
export function textGlob(text: string): number[] {
  const glob = new Array<number>(text.length);
  for (let index = 0; index < text.length; index += 1) glob[index] = text.charCodeAt(index);
  return glob;
}

export function hasWildcard(glob: Glob): boolean {
  return glob.some((token) => token < 0);
}

/** The glob in lower case. */
export function foldGlob(glob: Glob): Glob {
  return glob.map((token) => (token >= 0 ? String.fromCharCode(token).toLowerCase().charCodeAt(0) : token));
}

/** The text a glob starts with, up to its first wildcard. */
export function literalPrefix(glob: Glob): string {
  const end = glob.findIndex((token) => token < 0);
  return String.fromCharCode(...(end < 0 ? glob : glob.slice(0, end)));
}

export function matchesText(glob: Glob, text: string): boolean {
  let states = close(glob, [0]);
  for (let index = 0; index < text.length && states.length > 0; index += 1) {
    const code = text.charCodeAt(index);
    const next: number[] = [];
    for (const state of states) {
      const after = step(glob, state, code);
      if (after >= 0 && !next.includes(after)) next.push(after);
    }
    states = close(glob, next);
  }
  return states.includes(glob.length);
}

/** Is there any text that both globs match? */
export function overlaps(left: Glob, right: Glob): boolean {
  const width = right.length + 1;
  const seen = new Uint8Array((left.length + 1) * width);
  const open = [0];
  while (open.length > 0) {
    const pair = open.pop() ?? 0;
    if (seen[pair] === 1) continue;
    seen[pair] = 1;
    const [i, j] = [Math.floor(pair / width), pair % width];
    if (i === left.length && j === right.length) return true;
    for (const skipped of skips(left, i)) open.push(skipped * width + j);
    for (const skipped of skips(right, j)) open.push(i * width + skipped);
    const shared = sharedStep(left, i, right, j);
    if (shared) open.push(shared[0] * width + shared[1]);
  }
  return false;
}

/** The state after `state` takes the character, or -1 when it does not. */
function step(glob: Glob, state: number, code: number): number {
  const token = glob[state];
  if (token === undefined) return -1;
  if (token >= 0) return token === code ? state + 1 : -1;
  if (token === GLOBSTAR) return state;
  if (token === STAR) return code === SLASH ? -1 : state;
  if (token === ANY_CHARACTER) return state + 1;
  if (token === ANY_IN_SEGMENT) return code === SLASH ? -1 : state + 1;
  if (token === NO_DOT) return code === SLASH || code === DOT ? -1 : state + 1;
  return -1;
}

/** The states reachable from `state` without taking a character. */
function skips(glob: Glob, state: number): readonly number[] {
  const token = glob[state];
  if (token === STAR || token === GLOBSTAR) return [state + 1];
  if (token === NO_DOT) return [state + 2];
  if (token === OPTIONAL_PAIR) return [state + 1, state + 3];
  return NONE;
}

function close(glob: Glob, states: number[]): number[] {
  for (let index = 0; index < states.length; index += 1) {
    for (const skipped of skips(glob, states[index] ?? 0)) if (!states.includes(skipped)) states.push(skipped);
  }
  return states;
}

/** One character that both sides take, as the two states after it. */
function sharedStep(left: Glob, i: number, right: Glob, j: number): [number, number] | undefined {
  const [a, b] = [left[i], right[j]];
  if (a === undefined || b === undefined || a === OPTIONAL_PAIR || b === OPTIONAL_PAIR) return undefined;
  const candidates = a >= 0 ? [a] : b >= 0 ? [b] : WITNESSES;
  for (const code of candidates) {
    const after: [number, number] = [step(left, i, code), step(right, j, code)];
    if (after[0] >= 0 && after[1] >= 0) return after;
  }
  return undefined;
}

const NONE: readonly number[] = [];
const SLASH = 47;
const DOT = 46;
/** Where two wildcards meet, one ordinary letter, a dot and a slash stand for all characters. */
const WITNESSES = [97, DOT, SLASH];
