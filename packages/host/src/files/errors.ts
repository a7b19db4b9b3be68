import { ParleyError } from '@parley/jsonrpc';

export type FileErrorCode =
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

/** Why a file could not be read or written, in a sentence for an agent and its person. */
export class FileError extends ParleyError {
  override readonly name = 'FileError';
  declare readonly code: FileErrorCode;
  readonly path: string;

  constructor(code: FileErrorCode, path: string, message: string, options?: { readonly cause?: unknown }) {
    super(code, message, options);
    this.path = path;
  }
}
