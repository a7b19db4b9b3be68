import { cleanText } from '../text/clean-text.ts';
import { splitGraphemes } from '../text/width.ts';
import type { Key } from './key.ts';
import { isMark, keepPaste, type Paste, withoutMarks } from './pastes.ts';

/** A text that is being written, and everything its keys need to remember. Plain data: each key makes a new one. */
export interface Editor {
  readonly text: string;
  /** Where the caret is: an index into `text`, between two characters. */
  readonly caret: number;
  /** What was killed last, for ctrl+y. */
  readonly killed: string;
  /** True after a kill, so that the next one adds to it. */
  readonly isKilling: boolean;
  /** Long pastes, which stand in the text as one character each. */
  readonly pastes: readonly Paste[];
  readonly undo: readonly Snapshot[];
}

interface Snapshot {
  readonly text: string;
  readonly caret: number;
}

export const EMPTY_EDITOR: Editor = { text: '', caret: 0, killed: '', isKilling: false, pastes: [], undo: [] };

const MAX_UNDO = 100;
/** Every key lays the whole text out anew. */
const MAX_EDITED_CHARACTERS = 20_000;

/** The editor after a key; undefined when the key means nothing to it. The names and meanings are readline's. */
export function editKey(editor: Editor, key: Key): Editor | undefined {
  if (key.type === 'text') return insertText(editor, key.text);
  if (key.type === 'paste') return insertPaste(editor, key.text);
  const command = COMMANDS[key.name];
  return command?.({ ...editor, isKilling: key.name in KILLS && editor.isKilling });
}

export function insertText(editor: Editor, text: string): Editor {
  const clean = withoutMarks(cleanText(text));
  return clean === '' ? editor : replace(editor, editor.caret, editor.caret, clean);
}

/** The editor with another text, and the caret at its end. What nobody can edit here stands there as a paste. */
export function setText(editor: Editor, text: string): Editor {
  const emptied = replace({ ...editor, isKilling: false }, 0, editor.text.length, '');
  const shown = text.length <= MAX_EDITED_CHARACTERS ? undefined : keepPaste(editor.pastes, withoutMarks(text));
  if (!shown) return { ...emptied, text, caret: text.length };
  return { ...emptied, text: shown.mark, caret: shown.mark.length, pastes: shown.pastes };
}

/** Replaces a part of the text; the caret comes to stand after the new part. */
export function replace(editor: Editor, start: number, end: number, text: string): Editor {
  const { text: before, caret, undo } = editor;
  return {
    ...editor,
    text: before.slice(0, start) + text + before.slice(end),
    caret: start + text.length,
    undo: [...undo.slice(1 - MAX_UNDO), { text: before, caret }],
  };
}

/** True when Enter shall begin a new line rather than send: a backslash stands before the caret. */
export function isContinued({ text, caret }: Editor): boolean {
  return caret === text.length && text.endsWith('\\') && !text.endsWith('\\\\');
}

/** The backslash before the caret becomes a line break. */
export function continueLine(editor: Editor): Editor {
  return replace(editor, editor.caret - 1, editor.caret, '\n');
}

type Command = (editor: Editor) => Editor;

const KILLS: Readonly<Record<string, Command>> = {
  'ctrl+k': (editor) => kill(editor, editor.caret, endToKill(editor), 'forward'),
  'ctrl+u': (editor) => kill(editor, lineStart(editor), editor.caret, 'back'),
  'ctrl+w': (editor) => kill(editor, spaceBefore(editor), editor.caret, 'back'),
  'alt+backspace': (editor) => kill(editor, wordBefore(editor), editor.caret, 'back'),
  'alt+d': (editor) => kill(editor, editor.caret, wordAfter(editor), 'forward'),
};

const COMMANDS: Readonly<Record<string, Command>> = {
  ...KILLS,
  left: (editor) => moveTo(editor, before(editor)),
  'ctrl+b': (editor) => moveTo(editor, before(editor)),
  right: (editor) => moveTo(editor, after(editor)),
  'ctrl+f': (editor) => moveTo(editor, after(editor)),
  home: (editor) => moveTo(editor, lineStart(editor)),
  'ctrl+a': (editor) => moveTo(editor, lineStart(editor)),
  end: (editor) => moveTo(editor, lineEnd(editor)),
  'ctrl+e': (editor) => moveTo(editor, lineEnd(editor)),
  'alt+b': (editor) => moveTo(editor, wordBefore(editor)),
  'ctrl+left': (editor) => moveTo(editor, wordBefore(editor)),
  'alt+left': (editor) => moveTo(editor, wordBefore(editor)),
  'alt+f': (editor) => moveTo(editor, wordAfter(editor)),
  'ctrl+right': (editor) => moveTo(editor, wordAfter(editor)),
  'alt+right': (editor) => moveTo(editor, wordAfter(editor)),
  'alt+<': (editor) => moveTo(editor, 0),
  'alt+>': (editor) => moveTo(editor, editor.text.length),
  up: (editor) => moveByLine(editor, -1),
  down: (editor) => moveByLine(editor, 1),
  backspace: (editor) => replace(editor, before(editor), editor.caret, ''),
  'ctrl+h': (editor) => replace(editor, before(editor), editor.caret, ''),
  delete: deleteForward,
  'ctrl+d': deleteForward,
  'ctrl+y': (editor) => replace(editor, editor.caret, editor.caret, editor.killed),
  'ctrl+_': undoLast,
  'ctrl+/': undoLast,
  'ctrl+shift+-': undoLast,
  'ctrl+j': (editor) => replace(editor, editor.caret, editor.caret, '\n'),
  'alt+enter': (editor) => replace(editor, editor.caret, editor.caret, '\n'),
  'shift+enter': (editor) => replace(editor, editor.caret, editor.caret, '\n'),
};

function insertPaste(editor: Editor, text: string): Editor {
  const clean = withoutMarks(text);
  const kept = keepPaste(editor.pastes, clean);
  if (!kept) return replace(editor, editor.caret, editor.caret, clean);
  return { ...replace(editor, editor.caret, editor.caret, kept.mark), pastes: kept.pastes };
}

function moveTo(editor: Editor, caret: number): Editor {
  return { ...editor, caret };
}

function moveByLine(editor: Editor, direction: -1 | 1): Editor {
  const start = lineStart(editor);
  const column = editor.caret - start;
  const { text } = editor;
  if (direction < 0) {
    if (start === 0) return moveTo(editor, 0);
    const previous = text.lastIndexOf('\n', start - 2) + 1;
    return moveTo(editor, snap(text, Math.min(previous + column, start - 1)));
  }
  const end = lineEnd(editor);
  if (end === text.length) return moveTo(editor, end);
  const nextEnd = text.indexOf('\n', end + 1);
  return moveTo(editor, snap(text, Math.min(end + 1 + column, nextEnd < 0 ? text.length : nextEnd)));
}

/** The start of the character that an index falls into. */
function snap(text: string, index: number): number {
  let start = 0;
  for (const grapheme of splitGraphemes(text)) {
    if (start + grapheme.length > index) return start;
    start += grapheme.length;
  }
  return start;
}

function before({ text, caret }: Editor): number {
  if (caret === 0) return 0;
  const line = text.lastIndexOf('\n', caret - 1) + 1;
  if (line === caret) return caret - 1;
  return caret - (splitGraphemes(text.slice(line, caret)).at(-1)?.length ?? 0);
}

function after({ text, caret }: Editor): number {
  if (text[caret] === '\n') return caret + 1;
  const [next = ''] = splitGraphemes(text.slice(caret, caret + LONGEST_GRAPHEME));
  return caret + next.length;
}

const LONGEST_GRAPHEME = 64;

function lineStart({ text, caret }: Editor): number {
  return caret === 0 ? 0 : text.lastIndexOf('\n', caret - 1) + 1;
}

function lineEnd({ text, caret }: Editor): number {
  const end = text.indexOf('\n', caret);
  return end < 0 ? text.length : end;
}

/** At the end of a line, the line break itself is what ctrl+k kills. */
function endToKill(editor: Editor): number {
  const end = lineEnd(editor);
  return end === editor.caret ? Math.min(end + 1, editor.text.length) : end;
}

function wordBefore({ text, caret }: Editor): number {
  return text.slice(0, caret).search(/[\p{L}\p{N}_]*[^\p{L}\p{N}_]*$/u);
}

function wordAfter({ text, caret }: Editor): number {
  return caret + (/^[^\p{L}\p{N}_]*[\p{L}\p{N}_]*/u.exec(text.slice(caret))?.[0].length ?? 0);
}

function spaceBefore({ text, caret }: Editor): number {
  return text.slice(0, caret).search(/\S*\s*$/);
}

function deleteForward(editor: Editor): Editor {
  return { ...replace(editor, editor.caret, after(editor), ''), caret: editor.caret };
}

function kill(editor: Editor, start: number, end: number, direction: 'forward' | 'back'): Editor {
  const part = editor.text.slice(start, end);
  const { killed, isKilling } = editor;
  const joined = !isKilling ? part : direction === 'forward' ? killed + part : part + killed;
  return { ...replace(editor, start, end, ''), caret: start, killed: joined, isKilling: true };
}

function undoLast(editor: Editor): Editor {
  const last = editor.undo.at(-1);
  return last ? { ...editor, ...last, undo: editor.undo.slice(0, -1) } : editor;
}

/** What is sent: the text with every paste in its place. */
export function submittedText({ text, pastes }: Editor): string {
  if (pastes.length === 0) return text;
  let submitted = '';
  for (const character of text) {
    submitted += isMark(character) ? (pastes.find(({ mark }) => mark === character)?.text ?? '') : character;
  }
  return submitted;
}
