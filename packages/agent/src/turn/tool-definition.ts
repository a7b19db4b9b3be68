import type { SafetyHints, SafetyLevel } from '@parley/policy';
import type { ToolCallLocation } from '@parley/protocol';
import type { ToolKind } from '@parley/session';

/** What is known of a tool before it is used, so that each use needs to say only what it does. */
export interface ToolDefinition {
  /** What tool calls and rules call it. */
  readonly name: string;
  readonly kind?: ToolKind;
  /** What people read, from what the tool is given. Default: its name. */
  readonly title?: string | ((input: unknown) => string);
  /** The files that a use touches, from what the tool is given. */
  readonly locations?: (input: unknown) => readonly (string | ToolCallLocation)[];
  /** How much harm it can do. */
  readonly level?: SafetyLevel;
  /** What a person should know before saying yes. */
  readonly hints?: SafetyHints;
}
