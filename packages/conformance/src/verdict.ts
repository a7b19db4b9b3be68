/** Ends a check early: thrown by the helpers that checks call, caught by the runner. */
export class Verdict extends Error {
  override readonly name = 'Verdict';
  readonly kind: 'unmet' | 'not_applicable' | 'not_provoked' | 'needs_authentication' | 'skipped';
  readonly expected: string | undefined;
  readonly got: string | undefined;
  /** The frames that show it, as text; otherwise the last frames of the check are shown. */
  readonly wire: readonly string[] | undefined;
  /** The other check during which it was heard. */
  readonly heardIn: string | undefined;

  constructor(kind: Verdict['kind'], reason: string, evidence?: Evidence) {
    super(reason);
    this.kind = kind;
    this.expected = evidence?.expected;
    this.got = evidence?.got;
    this.wire = evidence?.wire;
    this.heardIn = evidence?.heardIn;
  }
}

export interface Evidence {
  readonly expected: string;
  readonly got: string;
  readonly wire?: readonly string[];
  readonly heardIn?: string;
}

/** The rule is broken. Both sentences continue "expected ..." and "got ...". */
export function unmet(expected: string, got: string): never {
  throw new Verdict('unmet', `expected ${expected}, got ${got}`, { expected, got });
}

/** Fails unless the condition holds. */
export function expect(condition: boolean, expected: string, got: string): asserts condition {
  if (!condition) unmet(expected, got);
}

/** The rule does not bind this peer, usually for lack of a capability. */
export function notApplicable(reason: string): never {
  throw new Verdict('not_applicable', reason);
}

/** The behaviour that the rule is about could not be brought about. */
export function notProvoked(reason: string): never {
  throw new Verdict('not_provoked', reason);
}

/** An earlier failure, reported on its own, makes this one impossible to tell. */
export function skip(reason: string): never {
  throw new Verdict('skipped', reason);
}
