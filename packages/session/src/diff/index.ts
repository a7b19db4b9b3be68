export { changedRegion, type ShownChange } from './changed-region.ts';
export { gitPatch } from './git-patch.ts';
export { type DiffLine, diffLines, splitLines } from './line-diff.ts';
export { type PatchedFile, readGitPatch } from './read-patch.ts';
