import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { textOfLine } from '../text/styled-text.ts';
import { textWidth } from '../text/width.ts';
import { continueLine, type Editor, EMPTY_EDITOR, editKey, isContinued, setText, submittedText } from './editor.ts';
import type { Key } from './key.ts';
import { layoutEditor } from './layout-editor.ts';

/** Types words and presses `<keys>`. */
function type(script: string, start: Editor = EMPTY_EDITOR): Editor {
  let editor = start;
  for (const piece of script.split(/(<[^>]+>)/)) {
    if (piece === '') continue;
    const key: Key = piece.startsWith('<') ? { type: 'key', name: piece.slice(1, -1) } : { type: 'text', text: piece };
    editor = editKey(editor, key) ?? editor;
  }
  return editor;
}

/** The text with the caret shown as a bar. */
function show({ text, caret }: Editor): string {
  return `${text.slice(0, caret)}|${text.slice(caret)}`;
}

describe('the editor', () => {
  it('takes a text that is too long to be edited as a paste, and sends all of it', () => {
    const text = 'a line of a very long prompt\n'.repeat(40_000);
    const editor = setText(EMPTY_EDITOR, text);
    expect(editor.text.length).toBeLessThan(10);
    expect(submittedText(type(' and more', editor))).toBe(`${text} and more`);
    const { lines } = layoutEditor(editor, { width: 60, maxRows: 8, prompt: [{ text: '> ' }] });
    expect(lines.map(textOfLine)).toEqual(['> [pasted 40000 lines]']);
  });

  it.each([
    ['hello<ctrl+a>x', 'x|hello'],
    ['hello<ctrl+b><ctrl+b>x', 'helx|lo'],
    ['hello<ctrl+a><ctrl+f><ctrl+f>x<ctrl+e>!', 'hexllo!|'],
    ['one two<ctrl+w>', 'one |'],
    ['one two<ctrl+w><ctrl+w><ctrl+y>', 'one two|'],
    ['one two three<alt+b><alt+b><ctrl+k>', 'one |'],
    ['one two<ctrl+a><ctrl+k><ctrl+y><ctrl+y>', 'one twoone two|'],
    ['one two<ctrl+u>x', 'x|'],
    ['one two<ctrl+a><alt+f>,', 'one,| two'],
    ['one two<ctrl+a><alt+d>', '| two'],
    ['one.two<alt+backspace>', 'one.|'],
    ['a<ctrl+j>b<ctrl+a>x', 'a\nx|b'],
    ['abc<alt+enter>d<up>x', 'ax|bc\nd'],
    ['a<ctrl+j>bcd<up><down>', 'a\nb|cd'],
    ['a👨‍👩‍👧‍👦<backspace>', 'a|'],
    ['e\u0301<left>x', 'x|e\u0301'],
    ['ab<left><delete>', 'a|'],
    ['ab<ctrl+a><ctrl+d>', '|b'],
    ['one<ctrl+w><ctrl+_>', 'one|'],
    ['héllo wörld<alt+left><alt+left>x', 'x|héllo wörld'],
  ])('%s leaves %s', (script, expected) => {
    expect(show(type(script))).toBe(expected);
  });

  it('does not know the keys that are not for it', () => {
    expect(editKey(EMPTY_EDITOR, { type: 'key', name: 'enter' })).toBeUndefined();
    expect(editKey(EMPTY_EDITOR, { type: 'key', name: 'escape' })).toBeUndefined();
  });

  it('goes on in a new line after a backslash', () => {
    const editor = type('one\\');
    expect(isContinued(editor)).toBe(true);
    expect(continueLine(editor).text).toBe('one\n');
    expect(isContinued(type('C:\\\\'))).toBe(false);
  });

  it('shows a long paste as one thing and sends all of it', () => {
    const long = Array.from({ length: 312 }, (_, index) => `line ${index}`).join('\n');
    const pasted = editKey(type('see: '), { type: 'paste', text: long }) ?? EMPTY_EDITOR;
    const editor = type(' ok', pasted);
    const { lines } = layoutEditor(editor, { width: 60, maxRows: 5, prompt: [{ text: '> ' }] });
    expect(lines.map(textOfLine)).toEqual(['> see: [pasted 312 lines] ok']);
    expect(submittedText(editor)).toBe(`see: ${long} ok`);
    expect(submittedText(type('<backspace>', pasted))).toBe('see: ');
  });

  it('puts a short paste into the text', () => {
    expect(editKey(EMPTY_EDITOR, { type: 'paste', text: 'a\nb' })?.text).toBe('a\nb');
  });

  it('shows the part around the caret when there is too much', () => {
    const editor = type('1<ctrl+j>2<ctrl+j>3<ctrl+j>4<ctrl+j>5');
    const { lines, caret } = layoutEditor(editor, { width: 20, maxRows: 3, prompt: [{ text: '> ' }] });
    expect(lines.map(textOfLine)).toEqual(['  3', '  4', '  5']);
    expect(caret).toEqual({ row: 2, column: 3 });
  });

  it('keeps caret and rows within the width, whatever is typed', () => {
    const step = fc.oneof(
      fc.string({ unit: 'grapheme', maxLength: 12 }).map((text): Key => ({ type: 'text', text })),
      fc.constantFrom('漢字', '👨‍👩‍👧‍👦', 'e\u0301').map((text): Key => ({ type: 'text', text })),
      fc
        .constantFrom(
          'left',
          'right',
          'up',
          'down',
          'ctrl+j',
          'ctrl+w',
          'ctrl+y',
          'alt+b',
          'backspace',
          'delete',
          'ctrl+k',
          'ctrl+_',
        )
        .map((name): Key => ({ type: 'key', name })),
    );
    fc.assert(
      fc.property(fc.array(step, { maxLength: 40 }), fc.integer({ min: 20, max: 60 }), (keys, width) => {
        let editor = EMPTY_EDITOR;
        for (const key of keys) editor = editKey(editor, key) ?? editor;
        expect(editor.caret).toBeGreaterThanOrEqual(0);
        expect(editor.caret).toBeLessThanOrEqual(editor.text.length);
        const { lines, caret } = layoutEditor(editor, { width, maxRows: 6, prompt: [{ text: '> ' }] });
        for (const line of lines) expect(textWidth(textOfLine(line))).toBeLessThanOrEqual(width);
        expect(caret.row).toBeLessThan(lines.length);
        expect(caret.column).toBeLessThanOrEqual(width);
      }),
      { seed: 7, numRuns: 100 },
    );
  });
});
