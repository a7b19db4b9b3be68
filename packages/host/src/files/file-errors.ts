import { FileError, type FileErrorCode } from './errors.ts';

/** The system's code of an error: `ENOENT`. */
export function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error ? String(error.code) : '';
}

/** What the system refused, as a sentence for the agent and its person. */
export function asFileError(error: unknown, path: string): unknown {
  if (error instanceof FileError) return error;
  const code = codeOf(error);
  const found = FAILURES[code];
  if (!found)
    return new FileError('file_failed', path, `${path} could not be accessed (${code || 'unknown reason'}).`, {
      cause: error,
    });
  const [errorCode, sentence] = found;
  return new FileError(errorCode, path, `${path} ${sentence}`, { cause: error });
}

const FAILURES: { readonly [Code in string]?: readonly [FileErrorCode, string] } = {
  ENOENT: ['file_not_found', 'does not exist.'],
  ENOTDIR: ['file_not_found', 'does not exist: something on its way is not a directory.'],
  // Since every step refuses symlinks, this is one that appeared after the path was resolved.
  ELOOP: ['path_forbidden', 'leads through a symbolic link that changed while it was opened, or that leads nowhere.'],
  EACCES: ['path_forbidden', 'may not be accessed by this user.'],
  EPERM: ['path_forbidden', 'may not be accessed by this user.'],
  EROFS: ['path_forbidden', 'is on a file system that is read-only.'],
  EISDIR: ['not_a_file', 'is a directory.'],
  ENXIO: ['not_a_file', 'is not a regular file.'],
  ENAMETOOLONG: ['path_invalid', 'is too long a path.'],
  EINVAL: ['path_invalid', 'is not a path that the system takes.'],
};
