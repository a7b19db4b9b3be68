import type { CheckFacts } from '../check.ts';
import type { Protocol } from '../versions/protocol.ts';
import type { CheckContext } from './run/check-context.ts';

/** One statement about agents. */
export interface Check extends CheckFacts {
  /** The versions in which the rule holds. Default: version 1 alone. */
  readonly protocols?: readonly Protocol[];
  /** A capability without which the rule does not bind: `agentCapabilities.loadSession`. */
  readonly needs?: string;
  /** Judges what the others have heard, and therefore runs last. */
  readonly isLint?: boolean;
  /** Runs even when the agent could not be initialized. */
  readonly isFirst?: boolean;
  /** Only on wires where we write the bytes ourselves. */
  readonly wire?: 'bytes';
  /** Returns when the rule holds; otherwise throws a verdict. */
  run(context: CheckContext): Promise<void>;
}

export function check(definition: Check): Check {
  return definition;
}
