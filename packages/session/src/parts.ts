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

export type ToolKind = V1ToolKind;

/** `paused` waits for something outside of it. `cancelled` was ended before it was done. */
export type ToolCallStatus = 'pending' | 'in_progress' | 'paused' | 'completed' | 'failed' | 'cancelled';

/** What a tool call shows. */
export type ToolCallContent =
  | { readonly type: 'content'; readonly content: Content; readonly _meta?: Meta }
  | ({ readonly type: 'diff' } & TextDiff)
  | FileChanges
  | ({ readonly type: 'terminal' } & Terminal);

/** Changes of files without their texts: which files, and where it is told the patch. */
export interface FileChanges {
  readonly type: 'changes';
  readonly changes: readonly FileChange[];
  /** As `git diff` writes it. */
  readonly patch?: string;
  readonly _meta?: Meta;
}

export interface FileChange {
  readonly operation: 'add' | 'delete' | 'modify' | 'move' | 'copy';
  readonly path: string;
  /** Where it came from, for what was moved or copied. */
  readonly oldPath?: string;
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
  readonly priority: 'high' | 'medium' | 'low';
  readonly status: 'pending' | 'in_progress' | 'completed' | 'cancelled';
  readonly _meta?: Meta;
}

export type Command = AvailableCommand;

export type ConfigOption = SessionConfigOption;

/** Why a turn ended. */
export type StopReason = V1StopReason;

type Meta = { readonly [key: string]: unknown } | null;
