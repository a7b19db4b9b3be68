import { describe, expect, it } from 'vitest';
import { type Editor, EMPTY_EDITOR, editKey } from '../editor.ts';
import type { Key } from '../key.ts';
import { vimKey } from './vim-keys.ts';
import { VIM_START, type VimState } from './vim-state.ts';

/** Types keys as a person does, with `<esc>` for Escape; `|` shows the caret. */
function type(text: string, keys: string): { shown: string; mode: string } {
  const caret = text.indexOf('|');
  let editor: Editor = { ...EMPTY_EDITOR, text: text.replace('|', ''), caret: Math.max(0, caret) };
  let vim: VimState = { ...VIM_START, mode: 'normal' };
  for (const part of keys.split(/(<esc>)/).filter(Boolean)) {
    const pressed: Key[] =
      part === '<esc>'
        ? [{ type: 'key', name: 'escape' }]
        : [...part].map((letter) => ({ type: 'text', text: letter }));
    for (const key of pressed) {
      const step = vimKey(vim, editor, key);
      vim = step?.vim ?? vim;
      editor = step?.editor ?? editKey(editor, key) ?? editor;
    }
  }
  return { shown: `${editor.text.slice(0, editor.caret)}|${editor.text.slice(editor.caret)}`, mode: vim.mode };
}

describe('the keys of vi', () => {
  it.each([
    // Motions.
    ['|one two', 'w', 'one |two'],
    ['|one, two', 'w', 'one|, two'],
    ['|one two three', '2w', 'one two |three'],
    ['one |two', 'b', '|one two'],
    ['|one two', 'e', 'on|e two'],
    ['|one two', '$', 'one tw|o'],
    ['  one tw|o', '^', '  |one two'],
    ['  one tw|o', '0', '|  one two'],
    ['on|e\ntwo', 'j', 'one\ntw|o'],
    ['one\ntw|o', 'k', 'on|e\ntwo'],
    ['on|e', 'lll', 'on|e'],
    ['on|e', 'hhhh', '|one'],
    ['|a\nb', 'G', 'a\n|b'],
    // Deleting and changing.
    ['|one', 'x', '|ne'],
    ['|one', '2x', '|e'],
    ['on|e', 'x', 'o|n'],
    ['|one two', 'dw', '|two'],
    ['|one two three', 'd2w', '|three'],
    ['|one two', 'de', '| two'],
    ['one |two', 'db', '|two'],
    ['one |two', 'd0', '|two'],
    ['one| two', 'D', 'on|e'],
    ['a\n|b\nc', 'dd', 'a\n|c'],
    ['|a\nb\nc', '2dd', '|c'],
    ['a\n|b', 'dd', '|a'],
    ['|one two', 'cwsix<esc>', 'si|x two'],
    ['one |two', 'Csix<esc>', 'one si|x'],
    ['a|b\nc', 'ccx<esc>', '|x\nc'],
    ['|ab', 'sx<esc>', '|xb'],
    // Inserting.
    ['|one', 'ix<esc>', '|xone'],
    ['|one', 'ax<esc>', 'o|xne'],
    ['  on|e', 'Ix<esc>', '  |xone'],
    ['|one', 'Ax<esc>', 'one|x'],
    ['|one\ntwo', 'ox<esc>', 'one\n|x\ntwo'],
    ['one\n|two', 'Ox<esc>', 'one\n|x\ntwo'],
    // Yanking, putting and undoing.
    ['|a\nb', 'yyp', 'a\n|a\nb'],
    ['a\n|b', 'yyp', 'a\nb\n|b'],
    ['a\n|b', 'yyP', 'a\n|b\nb'],
    ['|a\nb', 'ddp', 'b\n|a'],
    ['|ab', 'xp', 'b|a'],
    ['|one two', 'ywP', 'one| one two'],
    ['|a', 'yy2p', 'a\n|a\na'],
    ['|one two', 'dwu', '|one two'],
    // What means nothing is dropped, with what was typed before it.
    ['|one', '3z', '|one'],
    ['|one', 'd<esc>x', '|ne'],
  ])('%j and %s is %j', (text, keys, shown) => {
    expect(type(text, keys)).toEqual({ shown, mode: 'normal' });
  });

  it('begin in insert mode, where only Escape is theirs, and leave Escape to others when nothing is typed', () => {
    const escapeKey: Key = { type: 'key', name: 'escape' };
    const editor = { ...EMPTY_EDITOR, text: 'ab', caret: 2 };
    expect(vimKey(VIM_START, editor, { type: 'text', text: 'x' })).toBeUndefined();
    const step = vimKey(VIM_START, editor, escapeKey);
    expect(step).toMatchObject({ vim: { mode: 'normal' }, editor: { caret: 1 } });
    expect(vimKey({ ...VIM_START, mode: 'normal' }, editor, escapeKey)).toBeUndefined();
    expect(vimKey({ ...VIM_START, mode: 'normal' }, editor, { type: 'key', name: 'enter' })).toBeUndefined();
  });
});
