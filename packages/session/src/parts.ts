import type {
  AvailableCommand,
  ContentBlock,
  SessionConfigOption,
  Terminal,
  Diff as TextDiff,
  ToolCallLocation,
  StopReason as V1StopReason,
  ToolKind as V1ToolKind,
} from '@parley/protocol';

// What events are made of, in words that hold for every version of the protocol. Where the versions agree the word is the
// protocol's own; where they differ it is wide enough for each, and a mapper writes what its version can say.

/** What is said, shown or sent. */
export type Content = ContentBlock;

/** Words that the protocol defines, and those of agents that have more: an unknown word is kept, and shown as it is. */
export type Open<Word extends string> = Word | (string & Record<never, never>);

export type ToolKind = Open<V1ToolKind>;

/** `paused` waits for something outside of it. `cancelled` was ended before it was done. */
export type ToolCallStatus = Open<'pending' | 'in_progress' | 'paused' | 'completed' | 'failed' | 'cancelled'>;

const V1_KINDS = {
  read: true,
  edit: true,
  delete: true,
  move: true,
  search: true,
  execute: true,
  think: true,
  fetch: true,
  switch_mode: true,
  other: true,
} as const satisfies Record<V1ToolKind, true>;

/** A kind of the protocol: a word that only some agent knows is `other`. */
export function knownToolKind(kind: ToolKind): V1ToolKind {
  return Object.hasOwn(V1_KINDS, kind) ? (kind as V1ToolKind) : 'other';
}

/** What a tool call shows. */
export type ToolCallContent =
  | { readonly type: 'content'; readonly content: Content; readonly _meta?: Meta }
  | ({ readonly type: 'diff' } & TextDiff)
  | FileChanges
  | ({ readonly type: 'terminal' } & Terminal)
  | UnknownPart;

/** Something of a kind that this version of Parley does not know, kept whole. */
export interface UnknownPart {
  readonly type: 'unknown';
  readonly raw: Readonly<Record<string, unknown>>;
  readonly _meta?: Meta;
}

/** Changes of files without their texts: which files, and where it is told the patch. */
export interface FileChanges {
  readonly type: 'changes';
  readonly changes: readonly FileChange[];
  /** As `git diff` writes it, or in the format that is named. */
  readonly patch?: string;
  readonly patchFormat?: string;
  readonly _meta?: Meta;
}

export interface FileChange {
  readonly operation: Open<'add' | 'delete' | 'modify' | 'move' | 'copy'>;
  readonly path: string;
  /** Where it came from, for what was moved or copied. */
  readonly oldPath?: string;
  readonly fileType?: Open<'text' | 'binary' | 'directory' | 'symlink'>;
  readonly mimeType?: string;
}

/** The patch, or else which files were changed, one a line. */
export function textOfChanges({ changes, patch }: FileChanges): string {
  if (patch !== undefined) return patch;
  return changes
    .map(({ operation, path, oldPath }) => `${operation} ${oldPath === undefined ? '' : `${oldPath} -> `}${path}`)
    .join('\n');
}

export type Location = ToolCallLocation;

export interface PlanEntry {
  readonly content: string;
  readonly priority: Open<'high' | 'medium' | 'low'>;
  readonly status: Open<'pending' | 'in_progress' | 'completed' | 'cancelled'>;
  readonly _meta?: Meta;
}

export type Command = AvailableCommand;

export type ConfigOption = SessionConfigOption;

/** Why a turn ended. */
export type StopReason = Open<V1StopReason>;

/** Something that goes on beside the turns: a terminal, a tool call, or what an agent has beside these. */
export type BackgroundWork =
  | { readonly type: 'terminal'; readonly terminalId: string }
  | { readonly type: 'tool_call'; readonly toolCallId: string }
  | UnknownPart;

type Meta = { readonly [key: string]: unknown } | null;
