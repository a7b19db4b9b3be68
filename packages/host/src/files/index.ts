export { type FolderEntry, listFolder, realPath } from './disk.ts';
export { FileError, type FileErrorCode } from './errors.ts';
export {
  createGuardedFiles,
  DEFAULT_MAX_FILE_BYTES,
  type DirectoryEntry,
  type GuardedFiles,
  type GuardedFilesOptions,
} from './guarded-files.ts';
export { createPinnedRoots, type PinnedRoots } from './locate.ts';
