import type { Editor } from '../editor.ts';

/** What the keys of vi need to remember beside the text. */
export interface VimState {
  readonly mode: 'insert' | 'normal';
  /** The count, and the operator with its own count, that were typed so far: `2d3`. */
  readonly pending: string;
  /** What was deleted or yanked last; whole lines end with a break. */
  readonly register: string;
}

/** One writes at once, as at any prompt. */
export const VIM_START: VimState = { mode: 'insert', pending: '', register: '' };

export interface VimStep {
  readonly vim: VimState;
  readonly editor: Editor;
}
