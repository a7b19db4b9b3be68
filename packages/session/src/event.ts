import type { Extra } from './extra.ts';
import type {
  BackgroundWork,
  Command,
  ConfigOption,
  Content,
  Location,
  PlanEntry,
  StopReason,
  ToolCallContent,
  ToolCallStatus,
  ToolKind,
} from './parts.ts';

/**
 * What happens in a session, in Parley's own words. Agents emit these, clients fold them, logs keep them; a wire version
 * is a mapper at the border. The shapes follow what is common to all versions: messages and thoughts with ids, tool
 * calls as upserts, whole lists where the protocol replaces lists.
 */
export type SessionEvent =
  | MessageChunk
  | WholeMessage
  | ThoughtChunk
  | WholeThought
  | ToolCallEvent
  | ToolCallChunk
  | PlanEvent
  | CommandsEvent
  | ModeEvent
  | ConfigEvent
  | InfoEvent
  | UsageEvent
  | NoticeEvent
  | CompactionEvent
  | CompactionChunk
  | StateEvent
  | TerminalEvent
  | TerminalOutputChunk
  | SubagentEvent
  | SessionMessageEvent
  | UnknownEvent;

/** `_meta` of the wire, carried through unchanged. */
export interface WithMeta {
  readonly meta?: Record<string, unknown> | null;
}

/** What came beside the fields of the specification, carried through unchanged. */
export interface WithExtra {
  readonly extra?: Extra;
}

/** A piece of a message. The same id continues a message; a changed id begins the next. */
export interface MessageChunk extends WithMeta, WithExtra {
  readonly type: 'message_chunk';
  readonly speaker: 'user' | 'agent';
  readonly messageId?: string;
  /** Names the message within the log where its author gave it no id, for versions in which every message has one. */
  readonly localId?: string;
  readonly content: Content;
}

/**
 * A message as a whole: it replaces all that was told of the message before, and later chunks add to it. Without content the
 * message stays, and only its meta changes.
 */
export interface WholeMessage extends WithMeta, WithExtra {
  readonly type: 'whole_message';
  readonly speaker: 'user' | 'agent';
  readonly messageId: string;
  readonly content?: readonly Content[];
}

/** A piece of the agent's reasoning. */
export interface ThoughtChunk extends WithMeta, WithExtra {
  readonly type: 'thought_chunk';
  readonly messageId?: string;
  /** As for a message. */
  readonly localId?: string;
  readonly content: Content;
}

/** A thought as a whole, as a message as a whole. */
export interface WholeThought extends WithMeta, WithExtra {
  readonly type: 'whole_thought';
  readonly messageId: string;
  readonly content?: readonly Content[];
}

/** Creates a tool call, or changes the fields it names. Lists replace what was there; a name or title that is null is none any more. */
export interface ToolCallEvent extends WithMeta, WithExtra {
  readonly type: 'tool_call';
  readonly toolCallId: string;
  readonly title?: string | null;
  readonly name?: string | null;
  readonly kind?: ToolKind;
  readonly status?: ToolCallStatus;
  readonly content?: readonly ToolCallContent[];
  readonly locations?: readonly Location[];
  readonly rawInput?: unknown;
  readonly rawOutput?: unknown;
  /** Whether a client may ask that this one call ends, and the turn goes on. */
  readonly canCancel?: boolean;
}

/** Adds to what a tool call shows. */
export interface ToolCallChunk extends WithMeta, WithExtra {
  readonly type: 'tool_call_chunk';
  readonly toolCallId: string;
  readonly content: ToolCallContent;
}

/** The whole plan, replacing the one before. */
export interface PlanEvent extends WithMeta, WithExtra {
  readonly type: 'plan';
  readonly entries: readonly PlanEntry[];
  /** Which plan it is, for agents that have several. */
  readonly planId?: string;
  /** A plan that is no list of steps: a file, or a text in Markdown. Unstable. */
  readonly document?: { readonly uri: string } | { readonly markdown: string };
  /** The plan is gone. Unstable. */
  readonly isRemoved?: boolean;
}

/**
 * A session that this one has made and owns, and what is known of it. Omitted keeps what was there, null clears it.
 * Unstable.
 */
export interface SubagentEvent extends WithMeta, WithExtra {
  readonly type: 'subagent';
  readonly sessionId: string;
  readonly title?: string | null;
  readonly description?: string | null;
  /** What it is doing: `running`, `idle`, `requires_action`, with more fields for some. */
  readonly state?: { readonly state: string; readonly [field: string]: unknown } | null;
  readonly cwd?: string | null;
  readonly capabilities?: Readonly<Record<string, unknown>> | null;
}

/** What one session says to another; a chunk adds to what it said under the same id. Unstable. */
export interface SessionMessageEvent extends WithMeta, WithExtra {
  readonly type: 'session_message';
  readonly messageId: string;
  readonly senderSessionId?: string;
  readonly recipientSessionId?: string;
  readonly content: readonly Content[];
  readonly isChunk?: boolean;
}

export interface CommandsEvent extends WithMeta, WithExtra {
  readonly type: 'commands';
  readonly commands: readonly Command[];
}

export interface ModeEvent extends WithMeta, WithExtra {
  readonly type: 'mode';
  readonly modeId: string;
  /** All options with the mode among them, for versions in which it is one; absent where a config event tells it. */
  readonly whole?: readonly ConfigOption[];
}

export interface ConfigEvent extends WithMeta, WithExtra {
  readonly type: 'config';
  readonly options: readonly ConfigOption[];
  /** As for a mode; absent where the options have the mode among them, or there are no modes. */
  readonly whole?: readonly ConfigOption[];
}

/** Omitted keeps what was there, null clears it. */
export interface InfoEvent extends WithMeta, WithExtra {
  readonly type: 'info';
  readonly title?: string | null;
  readonly updatedAt?: string | null;
}

export interface UsageEvent extends WithMeta, WithExtra {
  readonly type: 'usage';
  /** Tokens in the context now, and how many it holds. */
  readonly used: number;
  readonly size: number;
  /** What the whole session has cost so far. */
  readonly cost?: { readonly amount: number; readonly currency: string };
}

/** Something the person should know; not part of the conversation, and never replayed. */
export interface NoticeEvent extends WithMeta, WithExtra {
  readonly type: 'notice';
  readonly severity: string;
  readonly title: string;
  readonly description?: string;
}

export interface CompactionEvent extends WithMeta, WithExtra {
  readonly type: 'compaction';
  readonly compactionId: string;
  readonly status: string;
  readonly summary?: readonly Content[];
  readonly error?: string;
}

export interface CompactionChunk extends WithMeta, WithExtra {
  readonly type: 'compaction_chunk';
  readonly compactionId: string;
  readonly content: Content;
}

/** What the session is doing. In v1 the prompt's own answer says that a turn ended; v2 says it with this. */
export interface StateEvent extends WithMeta, WithExtra {
  readonly type: 'state';
  readonly state: 'running' | 'idle' | 'requires_action';
  /** The turn that runs, or has ended. */
  readonly turnId?: string;
  readonly stopReason?: StopReason;
  /** Why the turn failed. */
  readonly error?: { readonly code: number; readonly message: string; readonly data?: unknown };
  /** The tokens that the turn has used, once it has ended. */
  readonly tokens?: TurnTokens;
  /** All that goes on beside the turns; absent where the agent does not tell. */
  readonly background?: readonly BackgroundWork[];
}

export interface TurnTokens {
  readonly inputTokens: number;
  readonly outputTokens: number;
  readonly thoughtTokens?: number;
  readonly cachedReadTokens?: number;
  readonly cachedWriteTokens?: number;
  /** Where it is not the sum of the first two. */
  readonly totalTokens?: number;
}

/**
 * A terminal that the agent owns (v2), or shows through `_meta` (some v1 agents). Creates it, or changes the fields it names; null
 * clears a field.
 */
export interface TerminalEvent extends WithMeta, WithExtra {
  readonly type: 'terminal';
  readonly terminalId: string;
  /** It was read in the `_meta` of a tool call, which tells it too. */
  readonly isInMeta?: boolean;
  readonly command?: string | null;
  readonly cwd?: string | null;
  /** All that it has written so far, replacing what was told before. */
  readonly output?: string;
  /** Either of these says that the command has ended. */
  readonly exitCode?: number | null;
  readonly signal?: string | null;
  readonly size?: { readonly cols: number; readonly rows: number } | null;
  /** Whether a client may ask that the command ends. */
  readonly canCancel?: boolean;
}

export interface TerminalOutputChunk extends WithMeta, WithExtra {
  readonly type: 'terminal_output';
  readonly terminalId: string;
  /** As for a terminal. */
  readonly isInMeta?: boolean;
  readonly text: string;
}

/** A variant this version of Parley does not know, kept whole. */
export interface UnknownEvent extends WithMeta, WithExtra {
  readonly type: 'unknown';
  readonly variant: string;
  readonly raw: Readonly<Record<string, unknown>>;
}
