import {
  continueLine,
  createHistory,
  type Editor,
  EMPTY_EDITOR,
  editKey,
  type History,
  isContinued,
  type Key,
  moveByRow,
  newer,
  older,
  type RowOptions,
  remember,
  searchHistory,
  setText,
  submittedText,
  VIM_START,
  type VimState,
  vimKey,
} from '@parley/terminal/input';
import { acceptCompletion, type Completion, type CompletionSources, complete } from './complete.ts';

/** What came of a key. `unknown` ones are for others. */
export type ComposerStep =
  | { readonly type: 'changed' }
  | { readonly type: 'unknown' }
  /** `isQueued`: it is to wait for the end of the turn that runs. */
  | { readonly type: 'submit'; readonly text: string; readonly isQueued?: boolean };

export interface ComposerOptions {
  readonly sources: () => CompletionSources;
  readonly history?: readonly string[];
  /** Default: `readline`. */
  readonly keys?: 'readline' | 'vim';
  /** How the text is broken into rows on the screen. Default: not at all. */
  readonly rows?: () => RowOptions;
  /** Turns a pasted path into a mention, where it is a file that can be sent. */
  readonly readPaste?: (text: string) => string;
  /** Whether tab queues what is written, where it completes nothing. Default: it does not. */
  readonly queuesByTab?: () => boolean;
}

/** The search through what was sent before, with ctrl+r. */
export interface HistorySearch {
  readonly query: string;
  /** Where the match is; undefined when there is none. */
  readonly match: number | undefined;
}

/** Where the person writes: the text, its completion, and what was written before. */
export class Composer {
  readonly #options: ComposerOptions;
  #editor: Editor = EMPTY_EDITOR;
  #history: History;
  #completion: Completion | undefined;
  #selected = 0;
  /** True while the person writes something that completions are looked for. */
  #isCompleting = false;
  #search: HistorySearch | undefined;
  /** Undefined where the keys are readline's. */
  #vim: VimState | undefined;

  constructor(options: ComposerOptions) {
    this.#options = options;
    if (options.keys === 'vim') this.#vim = VIM_START;
    this.#history = createHistory(options.history);
  }

  get editor(): Editor {
    return this.#editor;
  }

  /** What the status line says of the keys; undefined where they are readline's. */
  get keyState(): string | undefined {
    if (!this.#vim) return undefined;
    return this.#vim.pending === '' ? this.#vim.mode.toUpperCase() : `NORMAL ${this.#vim.pending}`;
  }

  /** Whether Escape is for the keys of vi, and stops nothing. */
  get takesEscape(): boolean {
    return this.#vim !== undefined && (this.#vim.mode === 'insert' || this.#vim.pending !== '');
  }

  get isEmpty(): boolean {
    return this.#editor.text === '';
  }

  get completion(): { readonly completion: Completion; readonly selected: number } | undefined {
    return this.#completion && { completion: this.#completion, selected: this.#selected };
  }

  get search(): (HistorySearch & { readonly found: string }) | undefined {
    const { match } = this.#search ?? {};
    return this.#search && { ...this.#search, found: match === undefined ? '' : (this.#history.entries[match] ?? '') };
  }

  /** Puts a text there, such as a queued prompt that is to be changed. */
  setText(text: string): void {
    this.#edit(setText(this.#editor, text));
  }

  clear(): void {
    this.#editor = { ...EMPTY_EDITOR, killed: this.#editor.killed };
    this.#endCompletion();
    this.#search = undefined;
  }

  remember(text: string): void {
    this.#history = remember(this.#history, text);
  }

  /** Looks again for completions, when there may be others now. */
  refresh(): void {
    if (this.#isCompleting) this.#complete();
  }

  press(key: Key): ComposerStep {
    if (this.#search) return this.#pressInSearch(this.#search, key);
    if (this.#completion && this.#pressInCompletion(this.#completion, key)) return CHANGED;
    const vim = this.#vim && this.#pressInVim(this.#vim, key);
    if (vim) return vim;
    if (key.type === 'paste') {
      const text = this.#options.readPaste?.(key.text) ?? key.text;
      return this.#edit(editKey(this.#editor, { type: 'paste', text }));
    }
    if (key.type === 'text') return this.#edit(editKey(this.#editor, key), true);
    switch (key.name) {
      case 'enter':
        return isContinued(this.#editor) ? this.#edit(continueLine(this.#editor)) : this.#submit();
      case 'tab':
        this.#complete();
        if (this.#completion || !this.#options.queuesByTab?.()) return CHANGED;
        return this.#submit(true);
      case 'ctrl+r':
        this.#search = { query: '', match: undefined };
        return CHANGED;
      case 'up':
        return this.#moveByRow(-1) ?? this.#recall(older(this.#history, this.#editor.text));
      case 'down':
        return this.#moveByRow(1) ?? this.#recall(newer(this.#history));
      case 'ctrl+p':
        return this.#recall(older(this.#history, this.#editor.text));
      case 'ctrl+n':
        return this.#recall(newer(this.#history));
      default:
        return this.#editBy(key);
    }
  }

  /** Undefined when the key is not for vi. Above the first line and below the last one are earlier and later prompts. */
  #pressInVim(vim: VimState, key: Key): ComposerStep | undefined {
    const letter = vim.mode === 'normal' && vim.pending === '' && key.type === 'text' ? key.text : '';
    if (letter === 'k' || letter === 'j') {
      return this.press({ type: 'key', name: letter === 'k' ? 'up' : 'down' });
    }
    const step = vimKey(vim, this.#editor, key);
    if (!step) return undefined;
    this.#vim = step.vim;
    return this.#edit(step.editor);
  }

  /** Undefined where there is no further row of the text. */
  #moveByRow(direction: -1 | 1): ComposerStep | undefined {
    const moved = moveByRow(this.#editor, direction, this.#options.rows?.() ?? UNBROKEN);
    return moved && this.#edit(moved);
  }

  #editBy(key: Key): ComposerStep {
    const isDeleting = key.type === 'key' && key.name === 'backspace';
    return this.#edit(editKey(this.#editor, key), isDeleting && this.#completion !== undefined);
  }

  #edit(editor: Editor | undefined, completes = false): ComposerStep {
    if (!editor) return { type: 'unknown' };
    this.#editor = editor;
    if (completes) this.#complete();
    else this.#endCompletion();
    return CHANGED;
  }

  #complete(): void {
    this.#isCompleting = true;
    this.#completion = complete(this.#editor, this.#options.sources());
    this.#selected = 0;
  }

  #endCompletion(): void {
    this.#isCompleting = false;
    this.#completion = undefined;
  }

  /** True when the key was for the list of completions. */
  #pressInCompletion(completion: Completion, key: Key): boolean {
    if (key.type !== 'key') return false;
    const { length } = completion.items;
    const item = completion.items[this.#selected];
    switch (key.name) {
      case 'up':
      case 'ctrl+p':
        this.#selected = (this.#selected + length - 1) % length;
        return true;
      case 'down':
      case 'ctrl+n':
        this.#selected = (this.#selected + 1) % length;
        return true;
      case 'escape':
        this.#endCompletion();
        return true;
      case 'tab':
      case 'enter': {
        // A command that is typed in full is sent with Enter, not completed once more.
        const isWhole = this.#editor.text.slice(completion.start, completion.end) === item?.insert.trimEnd();
        if (!item || (key.name === 'enter' && isWhole)) return false;
        this.#editor = acceptCompletion(this.#editor, completion, item);
        this.#endCompletion();
        return true;
      }
      default:
        return false;
    }
  }

  #pressInSearch(search: HistorySearch, key: Key): ComposerStep {
    const { entries } = this.#history;
    const look = (query: string, before: number): ComposerStep => {
      const found = query === '' ? undefined : searchHistory(this.#history, query, before);
      // Behind the last hit there is none, and the last one stays.
      this.#search = { query, match: found ?? (query === search.query ? search.match : undefined) };
      return CHANGED;
    };
    if (key.type !== 'key') return look(search.query + key.text, entries.length);
    switch (key.name) {
      case 'ctrl+r':
        return look(search.query, search.match ?? entries.length);
      case 'backspace':
        return look(search.query.slice(0, -1), entries.length);
      case 'escape':
      case 'ctrl+g':
      case 'ctrl+c':
        this.#search = undefined;
        return CHANGED;
      default: {
        const found = search.match === undefined ? undefined : entries[search.match];
        this.#search = undefined;
        if (found !== undefined) this.setText(found);
        return CHANGED;
      }
    }
  }

  #recall(found: { history: History; text: string } | undefined): ComposerStep {
    if (!found) return CHANGED;
    this.#history = found.history;
    return this.#edit(setText(this.#editor, found.text));
  }

  #submit(isQueued = false): ComposerStep {
    const text = submittedText(this.#editor);
    if (text.trim() === '') return CHANGED;
    this.clear();
    if (this.#vim) this.#vim = { ...this.#vim, mode: 'insert', pending: '' };
    this.remember(text);
    return { type: 'submit', text, ...(isQueued && { isQueued }) };
  }
}

const UNBROKEN: RowOptions = { width: Number.POSITIVE_INFINITY, prompt: [] };
const CHANGED: ComposerStep = { type: 'changed' };
