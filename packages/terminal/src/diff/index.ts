export { countChanges, type DiffView, type DiffViewOptions, viewDiff } from './diff-view.ts';
