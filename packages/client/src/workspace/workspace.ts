import { ParleyError } from '@parley/jsonrpc';

/** Serves the agent's `fs/*` requests. A method that is missing is not advertised. */
export interface Workspace {
  /** The text of a file, or of the given lines of it. Throws `WorkspaceError`. */
  readTextFile?(request: ReadRequest): Promise<string>;
  /** Creates or replaces a file, and the directories above it. Throws `WorkspaceError`. */
  writeTextFile?(request: WriteRequest): Promise<void>;
}

export interface ReadRequest {
  readonly sessionId: string;
  /** Absolute, as the agent gave it. */
  readonly path: string;
  /** Directories outside which nothing may be touched. */
  readonly roots: readonly string[];
  /** First line, counted from 1. */
  readonly line?: number;
  /** How many lines. */
  readonly limit?: number;
  readonly signal: AbortSignal;
}

export interface WriteRequest {
  readonly sessionId: string;
  readonly path: string;
  readonly roots: readonly string[];
  readonly content: string;
  readonly signal: AbortSignal;
}

/** How a workspace should behave; a platform's host makes one from it. */
export interface WorkspaceOptions {
  /**
   * Directories that the agent may read and write through us.
   * Default: the session's `cwd` and additional directories, which is what the specification means.
   */
  readonly roots?: readonly string[];
  /** Serves reading only. */
  readonly isReadOnly?: boolean;
  /** Text that is newer than the disk: the editor's unsaved buffers. */
  readonly buffers?: Buffers;
  /** Largest file that is read or written. Default: 16 MiB. */
  readonly maxFileBytes?: number;
}

/** The unsaved text of open files, by absolute path. */
export interface Buffers {
  /** The text of an open file that differs from the disk; undefined when there is none. */
  read(path: string): string | undefined;
  /** Told after a file was written, so that an open editor can take it over. */
  write?(path: string, content: string): void;
}

export type WorkspaceErrorCode =
  | 'file_not_found'
  | 'file_binary'
  | 'file_too_large'
  /** Outside the roots, a symlink that leads outside, or not permitted by the system. */
  | 'path_forbidden'
  /** Not absolute, or not a path at all. */
  | 'path_invalid'
  /** A directory, a pipe, a device. */
  | 'not_a_file'
  | 'file_failed';

/** Why a file could not be read or written; the agent is told the same sentence. */
export class WorkspaceError extends ParleyError {
  override readonly name = 'WorkspaceError';
  readonly path: string;

  constructor(code: WorkspaceErrorCode, path: string, message: string, options?: { readonly cause?: unknown }) {
    super(code, message, options);
    this.path = path;
  }
}
