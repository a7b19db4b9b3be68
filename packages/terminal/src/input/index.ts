export {
  continueLine,
  type Editor,
  EMPTY_EDITOR,
  editKey,
  insertText,
  isContinued,
  replace,
  setText,
  submittedText,
} from './editor.ts';
export {
  createHistory,
  type History,
  MAX_HISTORY_ENTRIES,
  newer,
  older,
  remember,
  searchHistory,
} from './history.ts';
export { type Key, keyAfterEscape } from './key.ts';
export {
  type EditorLayout,
  type EditorLayoutOptions,
  layoutEditor,
  moveByRow,
  type RowOptions,
} from './layout-editor.ts';
export type { Paste } from './pastes.ts';
export { vimKey } from './vim/vim-keys.ts';
export { VIM_START, type VimState, type VimStep } from './vim/vim-state.ts';
