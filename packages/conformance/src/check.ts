import { type Protocol, pageFor } from './versions/protocol.ts';

/**
 * How binding a rule is. MUST and SHOULD are the specification's; MAY is behaviour that it describes without demanding;
 * ROBUST is what the specification leaves open and users still need.
 */
export type Level = 'MUST' | 'SHOULD' | 'MAY' | 'ROBUST';

export type Outcome =
  | 'pass'
  /** A MUST is broken. */
  | 'fail'
  /** Something less binding than a MUST is broken. */
  | 'warn'
  /** Differs between repetitions. */
  | 'flaky'
  | 'not_applicable'
  | 'not_provoked'
  | 'needs_authentication'
  | 'skipped';

export const GROUPS = [
  'framing',
  'json-rpc',
  'initialization',
  'authentication',
  'sessions',
  'prompt turn',
  'updates',
  'tool calls',
  'permissions',
  'files',
  'terminals',
  'elicitation',
  'cancellation',
  'modes and config',
  'content',
  'mcp',
  'extensibility',
  'robustness',
] as const;

export type Group = (typeof GROUPS)[number];

/** What a report says about a check, whoever it is for. */
export interface CheckFacts {
  /** Stable: `PROMPT-07`. */
  readonly id: string;
  readonly level: Level;
  readonly group: Group;
  /** The rule in one sentence. */
  readonly says: string;
  /** The page of the specification, or what else the rule stands on. */
  readonly source: string;
  /** Numbers in the list of rules; see `RULES`. */
  readonly rules: readonly number[];
}

/** The facts of a check without what it does, as they are in a version. */
export function factsOf({ id, level, group, says, source, rules }: CheckFacts, protocol: Protocol): CheckFacts {
  return { id, level, group, says, source: pageFor(source, protocol), rules };
}
