import { type Editor, editKey, replace } from '../editor.ts';
import type { Key } from '../key.ts';
import { endOfLine, type Motion, moveBy, startOfLine, startOfWords } from './motions.ts';
import type { VimState, VimStep } from './vim-state.ts';

/** More of a count is a slip. */
const MAX_COUNT = 999;

/**
 * What a key does in vi's way; undefined when it means nothing there, and others may have it. In insert mode that is every key
 * but Escape, in normal mode Enter and what is pressed with ctrl or alt.
 */
export function vimKey(vim: VimState, editor: Editor, key: Key): VimStep | undefined {
  if (vim.mode === 'insert') {
    if (key.type !== 'key' || key.name !== 'escape') return undefined;
    const back = moveBy('h', editor, 1)?.to ?? editor.caret;
    return { vim: { ...vim, mode: 'normal', pending: '' }, editor: { ...editor, caret: back } };
  }
  if (key.type === 'text') {
    let step: VimStep = { vim, editor };
    for (const letter of key.text) {
      const next = step.vim.mode === 'insert' ? undefined : typed(step.vim, step.editor, letter);
      step = next ?? { ...step, editor: editKey(step.editor, { type: 'text', text: letter }) ?? step.editor };
    }
    return step;
  }
  if (key.type === 'paste') return { vim: { ...vim, pending: '' }, editor: editKey(editor, key) ?? editor };
  // Escape takes back what was typed of a command; without one it is for others, who stop the turn.
  if (key.name === 'escape') return vim.pending === '' ? undefined : { vim: { ...vim, pending: '' }, editor };
  const letter = NAMED[key.name];
  return letter === undefined ? undefined : typed(vim, editor, letter);
}

/** Keys with a name that mean the same as a letter. Up and down are for earlier prompts, as k and j are at the first and last line. */
const NAMED: Readonly<Record<string, string>> = {
  left: 'h',
  backspace: 'h',
  right: 'l',
  home: '0',
  end: '$',
  delete: 'x',
};

/** A letter in normal mode. What means nothing is dropped, and what was typed before it with it. */
function typed(vim: VimState, editor: Editor, letter: string): VimStep {
  const pending = vim.pending + letter;
  const [, count = '', operator = '', inner = '', rest = ''] =
    /^([1-9]\d*)?([dcy])?([1-9]\d*)?(.*)$/.exec(pending) ?? [];
  if (rest === '' && (operator !== '' || letter !== '0' || count !== '')) return { vim: { ...vim, pending }, editor };
  const idle: VimState = { ...vim, pending: '' };
  const times = Math.min(MAX_COUNT, Number(count || 1) * Number(inner || 1));
  if (operator !== '') return operate(idle, editor, { operator, motion: rest, times });
  const moved = moveBy(rest, editor, times);
  if (moved) return { vim: idle, editor: { ...editor, caret: insideLine(editor.text, moved.to) } };
  return COMMANDS[rest]?.(idle, editor, times) ?? { vim: idle, editor };
}

type Command = (vim: VimState, editor: Editor, count: number) => VimStep;

const COMMANDS: Readonly<Record<string, Command>> = {
  i: (vim, editor) => insertAt(vim, editor, editor.caret),
  a: (vim, editor) => insertAt(vim, editor, moveBy('l', editor, 1)?.to ?? editor.caret),
  I: (vim, editor) => insertAt(vim, editor, startOfWords(editor.text, editor.caret)),
  A: (vim, editor) => insertAt(vim, editor, endOfLine(editor.text, editor.caret)),
  o: (vim, editor) => openLine(vim, editor, endOfLine(editor.text, editor.caret), 1),
  O: (vim, editor) => openLine(vim, editor, startOfLine(editor.text, editor.caret), 0),
  x: (vim, editor, times) => operate(vim, editor, { operator: 'd', motion: 'l', times }),
  X: (vim, editor, times) => operate(vim, editor, { operator: 'd', motion: 'h', times }),
  D: (vim, editor) => operate(vim, editor, { operator: 'd', motion: '$', times: 1 }),
  C: (vim, editor) => operate(vim, editor, { operator: 'c', motion: '$', times: 1 }),
  Y: (vim, editor, times) => operate(vim, editor, { operator: 'y', motion: 'y', times }),
  S: (vim, editor, times) => operate(vim, editor, { operator: 'c', motion: 'c', times }),
  s: (vim, editor, times) => operate(vim, editor, { operator: 'c', motion: 'l', times }),
  p: (vim, editor, times) => put(vim, editor, times, 'after'),
  P: (vim, editor, times) => put(vim, editor, times, 'before'),
  u: (vim, editor) => ({ vim, editor: editKey(editor, { type: 'key', name: 'ctrl+_' }) ?? editor }),
};

interface Operation {
  readonly operator: string;
  readonly motion: string;
  readonly times: number;
}

/** Deletes, changes or yanks what a motion passes over; the letter of the operator twice means whole lines. */
function operate(vim: VimState, editor: Editor, { operator, motion, times }: Operation): VimStep {
  const { text, caret } = editor;
  // `cw` leaves the blank behind the word, as everybody expects.
  const key = operator === 'c' && motion === 'w' && /\S/.test(text[caret] ?? '') ? 'e' : motion;
  const isSame = motion === operator;
  const moved: Motion | undefined = isSame
    ? { to: moveBy('j', editor, times - 1)?.to ?? caret, kind: 'lines' }
    : moveBy(key, editor, times);
  if (!moved) return { vim, editor };
  const [first, last] = [Math.min(caret, moved.to), Math.max(caret, moved.to)];
  if (moved.kind === 'lines') return operateOnLines(vim, editor, operator, [first, last]);
  const end = moved.kind === 'inclusive' ? Math.min(text.length, last + 1) : last;
  const register = text.slice(first, end);
  if (operator === 'y') return { vim: { ...vim, register }, editor: { ...editor, caret: first } };
  const mode = operator === 'c' ? 'insert' : 'normal';
  const cut = { ...replace(editor, first, end, ''), caret: first };
  return {
    vim: { ...vim, register, mode },
    editor: mode === 'insert' ? cut : { ...cut, caret: insideLine(cut.text, first) },
  };
}

function operateOnLines(
  vim: VimState,
  editor: Editor,
  operator: string,
  [first, last]: readonly [number, number],
): VimStep {
  const { text } = editor;
  const [start, end] = [startOfLine(text, first), endOfLine(text, last)];
  const register = `${text.slice(start, end)}\n`;
  if (operator === 'y') return { vim: { ...vim, register }, editor };
  if (operator === 'c')
    return { vim: { ...vim, register, mode: 'insert' }, editor: { ...replace(editor, start, end, ''), caret: start } };
  // The last line goes with the break before it.
  const from = end === text.length ? Math.max(0, start - 1) : start;
  const cut = replace(editor, from, Math.min(text.length, end + 1), '');
  return {
    vim: { ...vim, register },
    editor: { ...cut, caret: startOfWords(cut.text, Math.min(from, cut.text.length)) },
  };
}

function put(vim: VimState, editor: Editor, times: number, where: 'before' | 'after'): VimStep {
  const { text, caret } = editor;
  const { register } = vim;
  if (register === '') return { vim, editor };
  if (!register.endsWith('\n')) {
    const place = where === 'after' && caret < endOfLine(text, caret) ? caret + 1 : caret;
    const added = replace(editor, place, place, register.repeat(times));
    return { vim, editor: { ...added, caret: added.caret - 1 } };
  }
  const lines = register.repeat(times);
  const isLast = where === 'after' && endOfLine(text, caret) === text.length;
  const place = where === 'before' ? startOfLine(text, caret) : isLast ? text.length : endOfLine(text, caret) + 1;
  const added = replace(editor, place, place, isLast ? `\n${lines.slice(0, -1)}` : lines);
  return { vim, editor: { ...added, caret: startOfWords(added.text, isLast ? place + 1 : place) } };
}

function insertAt(vim: VimState, editor: Editor, caret: number): VimStep {
  return { vim: { ...vim, mode: 'insert' }, editor: { ...editor, caret } };
}

function openLine(vim: VimState, editor: Editor, place: number, offset: 0 | 1): VimStep {
  return insertAt(vim, replace(editor, place, place, '\n'), place + offset);
}

/** In normal mode the caret stands on a character, where the line has one. */
function insideLine(text: string, place: number): number {
  const end = endOfLine(text, place);
  return place === end && place > startOfLine(text, place) ? place - 1 : place;
}
