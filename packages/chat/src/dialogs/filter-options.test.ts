import { textOfLine } from '@parley/terminal';
import type { Key } from '@parley/terminal/input';
import { describe, expect, it } from 'vitest';
import { TEST_VIEW } from '../../test/support/test-view.ts';
import { ChoiceDialog } from './choice-dialog.ts';

const text = (letters: string): Key => ({ type: 'text', text: letters });
const key = (name: string): Key => ({ type: 'key', name });
const MODELS = Array.from({ length: 60 }, (_, index) => ({
  label: `Model ${index + 1}`,
  description: `house/m${index}`,
}));

function open(filter = ''): { dialog: ChoiceDialog; chosen: number[]; shown: () => string[] } {
  const chosen: number[] = [];
  const options = [...MODELS, { label: 'Haiku', description: 'house/small' }];
  const dialog = new ChoiceDialog({ title: 'Model', options, hint: 'hint', filter, onChosen: (at) => chosen.push(at) });
  return { dialog, chosen, shown: () => dialog.view(TEST_VIEW).map(textOfLine) };
}

describe('a picker', () => {
  it('is narrowed by what is typed, in names and descriptions, and Enter takes the first that is left', () => {
    const { dialog, chosen, shown } = open();
    dialog.press(text('small'));
    expect(shown()).toEqual(['? Model  small', '    Haiku  house/small', '  hint']);
    dialog.press(key('enter'));
    expect(chosen).toEqual([60]);
  });

  it('takes a digit for an answer as long as nothing is typed, and for a letter then', () => {
    const { dialog, chosen, shown } = open('model');
    dialog.press(text('5'));
    dialog.press(text('9'));
    expect(shown()).toEqual(['? Model  model59', '  nothing is called so', '  hint']);
    dialog.press(key('ctrl+u'));
    dialog.press(text('5'));
    expect(chosen).toEqual([4]);
  });

  it('is wider again when letters are deleted, and says when nothing is called so', () => {
    const { dialog, chosen, shown } = open('haikuu');
    expect(shown()[1]).toContain('nothing is called so');
    dialog.press(key('enter'));
    expect(chosen).toEqual([]);
    dialog.press(key('backspace'));
    expect(shown()[1]).toContain('Haiku');
  });
});
