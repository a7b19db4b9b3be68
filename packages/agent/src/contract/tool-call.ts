import type { SafetyHints, SafetyLevel } from '@parley/policy';
import type { ContentBlock, Diff, ToolCallLocation } from '@parley/protocol';
import type { ToolCallContent, ToolCallStatus, ToolKind } from '@parley/session';

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

/** What a tool call is about to do. What is left out comes from the tool of that name, if it is registered. */
export interface NewToolCall extends ToolCallChanges {
  /** Default: a new id, unique in the session. */
  readonly id?: string;
  /** A client may ask that this one call ends, which `signal` of its handle tells; the turn goes on. Default: false. */
  readonly cancellable?: boolean;
  /** Ends it besides the turn: that of the call which it is a part of. */
  readonly signal?: AbortSignal;
}

/** What can change about a tool call. Text, diffs and terminals are added to what it shows; `content` replaces it. */
export interface ToolCallChanges {
  readonly title?: string;
  /** The tool's own name, for rules and logs. */
  readonly name?: string;
  readonly kind?: ToolKind;
  readonly text?: string;
  readonly diff?: Diff | readonly Diff[];
  readonly terminal?: { readonly id: string };
  readonly content?: readonly (ContentBlock | ToolCallContent)[];
  /** Files it touches; a relative path starts at the session's cwd. */
  readonly locations?: readonly (string | ToolCallLocation)[];
  readonly rawInput?: unknown;
  readonly rawOutput?: unknown;
  /** How a command ended; becomes the raw output. */
  readonly exit?: unknown;
  readonly meta?: Readonly<Record<string, unknown>>;
}

/** One use of a tool: pending, in progress, and completed, failed or cancelled. After that nothing about it changes any more. */
export interface ToolCallHandle {
  readonly id: string;
  readonly status: ToolCallStatus;
  readonly isFinal: boolean;
  /** Aborts when a client has cancelled this call, and when the turn is over. */
  readonly signal: AbortSignal;
  start(changes?: ToolCallChanges): void;
  update(changes: ToolCallChanges): void;
  complete(changes?: ToolCallChanges): void;
  /** A failing tool is a result: say why, and the turn goes on. A call that a client has cancelled is then cancelled. */
  fail(because?: string | Error | ToolCallChanges): void;
  /** It was ended before it was done. */
  cancel(because?: string | ToolCallChanges): void;
}
