import type { ContentBlock, ToolCallLocation } from '@parley/protocol';
import type { ToolCallContent, ToolCallStatus, ToolKind } from '../parts.ts';
import type { List } from './list.ts';

/** One thing in the conversation, in the order it began. */
export type Entry = MessageEntry | ThoughtEntry | ToolCallEntry | NoticeEntry | CompactionEntry | UnknownEntry;

interface EntryFacts {
  /** `replay`: the agent told it again when the session was loaded. */
  readonly origin: 'live' | 'replay';
  /** The turn it belongs to: an index into `transcript.turns`. Absent for replayed and unprompted entries. */
  readonly turn?: number;
  /** When it began, in milliseconds since 1970, if the fold was told. */
  readonly at?: number;
  readonly meta?: Readonly<Record<string, unknown>>;
}

/** What one side said. */
export interface MessageEntry extends EntryFacts {
  readonly type: 'message';
  readonly speaker: 'user' | 'agent';
  readonly messageId?: string;
  /** Neighbouring pieces of text are one block. */
  readonly content: List<ContentBlock>;
  /** The text of all blocks. */
  readonly text: string;
}

/** What the agent thought. */
export interface ThoughtEntry extends EntryFacts {
  readonly type: 'thought';
  readonly messageId?: string;
  readonly content: List<ContentBlock>;
  readonly text: string;
}

/** One use of a tool, in its latest state. */
export interface ToolCallEntry extends EntryFacts {
  readonly type: 'tool_call';
  readonly toolCallId: string;
  readonly title: string;
  /** The tool's own name, where the agent tells it. */
  readonly name?: string;
  readonly kind: ToolKind;
  /** `cancelled`: the turn was cancelled before it ended; a late update may still tell how it ended. */
  readonly status: ToolCallStatus;
  readonly content: readonly ToolCallContent[];
  readonly locations: readonly ToolCallLocation[];
  readonly rawInput?: unknown;
  readonly rawOutput?: unknown;
  /** Whether the agent lets it be cancelled while the turn goes on. */
  readonly canCancel?: boolean;
  /** The tool call that this one is part of, when a sub-agent made it. */
  readonly parentToolCallId?: string;
  readonly endedAt?: number;
}

/** Something the person should know; not part of the conversation. */
export interface NoticeEntry extends EntryFacts {
  readonly type: 'notice';
  readonly severity: string;
  readonly title: string;
  readonly description?: string;
}

/** The agent made its context shorter. */
export interface CompactionEntry extends EntryFacts {
  readonly type: 'compaction';
  readonly compactionId: string;
  readonly status: string;
  readonly summary: List<ContentBlock>;
  readonly text: string;
  readonly error?: string;
}

/** An update of a kind that this version of Parley does not know, kept whole. */
export interface UnknownEntry extends EntryFacts {
  readonly type: 'unknown';
  readonly variant: string;
  readonly raw: Readonly<Record<string, unknown>>;
}
