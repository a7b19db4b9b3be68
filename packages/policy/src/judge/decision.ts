import type { SafetyHints, SafetyLevel } from '../request/safety.ts';
import type { Rule, RuleSource } from '../rules/rule.ts';

export type Verdict = 'allow' | 'ask' | 'deny';

/** What a verdict rests on. Codes are stable; `because` is for people. */
export type Reason =
  /** A rule says so. */
  | 'rule'
  /** The permission mode says so. */
  | 'mode'
  /** Nothing says anything. */
  | 'no-rule'
  /** It cannot be looked into, and a deny rule may apply. */
  | 'may-be-denied'
  /** It cannot be looked into. */
  | 'opaque'
  /** A rule matches, but its `*` does not cover this argument. */
  | 'not-covered'
  /** It reaches out of the workspace. */
  | 'outside'
  /** It changes a file that decides what may run later, or reads one that holds logins. */
  | 'protected'
  /** It does nothing by itself. */
  | 'harmless'
  /** The person answered this before. */
  | 'remembered'
  /** The tool preset or behaviour mode has no such tool, or asks for it. */
  | 'tool-set'
  /** Our own tool of a low safety level. */
  | 'level'
  /** It would change the mode itself. */
  | 'mode-switch'
  /** There is a question and nobody to put it to. */
  | 'nobody-to-ask';

/** The judgement on one part of a request: a simple command, a redirect, a file. */
export interface Finding {
  readonly verdict: Verdict;
  readonly reason: Reason;
  /** The part, as written. */
  readonly text: string;
  readonly rule?: Rule;
  /** What about it: the argument that is not covered, the protected name. */
  readonly detail?: string;
  /** For `protected`: the file is read, not changed. */
  readonly isRead?: boolean;
}

/** What `decide` says, and why. */
export interface Decision {
  readonly verdict: Verdict;
  readonly reason: Reason;
  /** One sentence for a person. */
  readonly because: string;
  /** The rule that decided, and where it stands. */
  readonly rule?: Rule;
  readonly source?: RuleSource;
  /** The part of the request that decided. */
  readonly part?: string;
  readonly detail?: string;
  /** Every part with its own judgement. */
  readonly parts: readonly Finding[];
  /** Would an answer "always" change anything? Not where a rule or a protected file asks every time. */
  readonly canRemember: boolean;
  readonly level: SafetyLevel;
  readonly hints?: SafetyHints;
}

const RANK: Readonly<Record<Verdict, number>> = { allow: 0, ask: 1, deny: 2 };
/** Among findings of one verdict the weightier reason speaks. */
const WEIGHT: Readonly<Partial<Record<Reason, number>>> = {
  rule: 9,
  'mode-switch': 8,
  'may-be-denied': 8,
  protected: 7,
  opaque: 6,
  outside: 5,
  'not-covered': 4,
};

/** The finding that decides: the strictest, and of those the weightiest, and of those the first. */
export function strictest(findings: readonly Finding[]): Finding | undefined {
  let found: Finding | undefined;
  for (const finding of findings) {
    if (found === undefined || isStricter(finding, found)) found = finding;
  }
  return found;
}

function isStricter(left: Finding, right: Finding): boolean {
  const difference = RANK[left.verdict] - RANK[right.verdict];
  return difference > 0 || (difference === 0 && (WEIGHT[left.reason] ?? 0) > (WEIGHT[right.reason] ?? 0));
}
