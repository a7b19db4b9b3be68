/** What a validator returns instead of a value that does not fit. `takeProblem` then tells why. */
export const INVALID: unique symbol = Symbol('invalid');

/** One thing that is wrong with a value, and where. */
export interface Problem {
  /** From the outside in: property names and list indices. */
  readonly path: readonly (string | number)[];
  readonly expected: string;
  readonly received: string;
  /**
   * `missing`: nothing is there. `variant`: the tag of a union is one that this version does not know. `rule`: the shape
   * is right, but a rule of the specification is broken.
   */
  readonly kind: 'missing' | 'mismatch' | 'variant' | 'rule';
}

/** Longest piece of a received value that a message quotes. Only tags and enumeration values are ever quoted. */
const MAX_QUOTED_CHARACTERS = 40;

// Validation is synchronous and most failures are repaired at once by a lenient rule, so the last problem is kept in
// plain variables: a value that fits costs nothing, and one that does not costs no more than these assignments.
let path: (string | number)[] = [];
let expectation = '';
let received = '';
let kind: Problem['kind'] = 'mismatch';

/** Records that `value` (at `key`, when given) is not what it should be. */
export function expected(what: string, value: unknown, key?: string): typeof INVALID {
  path = key === undefined ? [] : [key];
  expectation = what;
  received = describe(value);
  kind = value === undefined ? 'missing' : 'mismatch';
  return INVALID;
}

/** Like `expected`, for a value out of a closed list; the message quotes it. */
export function expectedOneOf(names: string, value: unknown, key?: string): typeof INVALID {
  expected(`one of ${names}`, value, key);
  if (typeof value === 'string') received = quote(value);
  return INVALID;
}

/** Like `expectedOneOf`, for the tag of a union: a caller may want to keep a variant that it does not know. */
export function unknownVariant(names: string, value: unknown, key: string): typeof INVALID {
  expectedOneOf(names, value, key);
  if (typeof value === 'string') kind = 'variant';
  return INVALID;
}

/** Says that the problem just recorded lies under `key`. */
export function under(key: string | number): typeof INVALID {
  path.push(key);
  return INVALID;
}

/** The problem recorded last. Only meaningful right after a validator returned `INVALID`. */
export function takeProblem(): Problem {
  return { path: path.toReversed(), expected: expectation, received, kind };
}

/** Makes an earlier problem the one recorded last. */
export function restoreProblem(problem: Problem): typeof INVALID {
  path = problem.path.toReversed();
  expectation = problem.expected;
  received = problem.received;
  kind = problem.kind;
  return INVALID;
}

function describe(value: unknown): string {
  if (value === undefined) return 'nothing';
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'array';
  return typeof value === 'number' ? String(value) : typeof value;
}

function quote(value: string): string {
  const isLong = value.length > MAX_QUOTED_CHARACTERS;
  return JSON.stringify(isLong ? `${value.slice(0, MAX_QUOTED_CHARACTERS)}…` : value);
}
