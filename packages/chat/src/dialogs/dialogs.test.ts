import type { FormReply } from '@parley/client';
import type { ElicitationSchema } from '@parley/protocol';
import { textOfLine } from '@parley/terminal';
import type { Key } from '@parley/terminal/input';
import { describe, expect, it } from 'vitest';
import { TEST_VIEW } from '../../test/support/test-view.ts';
import { type FormField, parseAnswer, readFields } from '../questions/form-fields.ts';
import { viewPermission } from '../questions/permission-view.ts';
import { createChoice, viewChoice } from './choice.ts';
import { ChoiceDialog } from './choice-dialog.ts';
import { FormDialog } from './form-dialog.ts';
import { INERT_MS, KeyGuard } from './key-guard.ts';

const text = (letters: string): Key => ({ type: 'text', text: letters });
const key = (name: string): Key => ({ type: 'key', name });

describe('a choice', () => {
  function open(selected?: number): { dialog: ChoiceDialog; chosen: number[] } {
    const chosen: number[] = [];
    const dialog = new ChoiceDialog({
      title: 'Which?',
      options: [{ label: 'One' }, { label: 'Two' }, { label: 'Three' }],
      hint: 'hint',
      ...(selected !== undefined && { selected }),
      onChosen: (index) => chosen.push(index),
    });
    return { dialog, chosen };
  }

  it('is made by number', () => {
    const { dialog, chosen } = open();
    dialog.press(text('2'));
    expect(chosen).toEqual([1]);
  });

  it('is made by nothing else: not by Enter, not by a number that is not there, not by what is typed fast', () => {
    const { dialog, chosen } = open();
    for (const each of [
      key('enter'),
      text('4'),
      text('0'),
      text('12'),
      text('y'),
      { type: 'paste', text: '1' } as const,
    ]) {
      dialog.press(each);
    }
    expect(chosen).toEqual([]);
  });

  it('is made with arrows and Enter', () => {
    const { dialog, chosen } = open();
    for (const name of ['down', 'down', 'up', 'up', 'enter']) dialog.press(key(name));
    expect(chosen).toEqual([2]);
  });

  it('leaves the keys that stop things to others', () => {
    const { dialog } = open();
    expect(dialog.press(key('escape'))).toBe(false);
    expect(dialog.press(key('ctrl+c'))).toBe(false);
    expect(dialog.press(key('up'))).toBe(true);
  });

  it('stands in one row where there is room, else in one column', () => {
    const { dialog } = open();
    expect(dialog.view(TEST_VIEW).map(textOfLine)).toEqual(['? Which?', '  1 One   2 Two   3 Three', '  hint']);
    expect(dialog.view({ ...TEST_VIEW, width: 20 }).map(textOfLine)).toEqual([
      '? Which?',
      '  1 One',
      '  2 Two',
      '  3 Three',
      '  hint',
    ]);
  });
});

describe('long answers', () => {
  const options = ['Always allow write_file on /proj/some/long/path in this session', 'Reject'].map((label) => ({
    label,
  }));
  const rows = (maxRows?: number) => viewChoice(createChoice(options), 40, maxRows).map(textOfLine);

  it('are shown to their end', () => {
    expect(rows()).toEqual([
      '  1 Always allow write_file on',
      '    /proj/some/long/path in this session',
      '  2 Reject',
    ]);
  });

  it('are cut where there is no room, and none is left out without a word', () => {
    expect(rows(2)).toEqual(['  1 Always allow write_file on /proj/so…', '  2 Reject']);
    expect(rows(1)).toHaveLength(1);
    const many = createChoice(Array.from({ length: 5 }, (_, index) => ({ label: `Option ${index} of many` })));
    expect(viewChoice(many, 20, 3).map(textOfLine)).toEqual([
      '  1 Option 0 of many',
      '  2 Option 1 of many',
      '  … 3 more',
    ]);
  });
});

describe('the guard of a question', () => {
  it('ignores keys for a moment, and for as long as the typing goes on', () => {
    const guard = new KeyGuard(1000);
    expect(guard.admits(1000 + INERT_MS - 1)).toBe(false);
    expect(guard.admits(1000 + INERT_MS + 1)).toBe(false);
    expect(guard.admits(1000 + 2 * INERT_MS + 1)).toBe(true);
    expect(guard.admits(1000 + 2 * INERT_MS + 2)).toBe(true);
  });

  it('leaves what is written to the prompt, and answers only when nothing is written', () => {
    const chosen: number[] = [];
    const reasons: string[] = [];
    let draft = '';
    const open = (openedAt: number): ChoiceDialog =>
      new ChoiceDialog({
        title: 'Allow?',
        options: [{ label: 'Allow' }, { label: 'Reject' }],
        hint: 'hint',
        guard: new KeyGuard(openedAt),
        isDraftEmpty: () => draft === '',
        onChosen: (index) => chosen.push(index),
        onReason: (reason) => reasons.push(reason),
      });
    const seen = open(0);
    for (const each of [text('n'), text('12'), { type: 'paste', text: '1' } as const, key('backspace')])
      expect(seen.press(each)).toBe(false);
    // A moment ago something was written.
    expect(seen.press(text('1'))).toBe(false);
    draft = 'no';
    for (const each of [text('1'), key('up'), key('enter')]) expect(seen.press(each)).toBe(false);
    // A question that has just come is not answered with what was meant for another prompt.
    expect(open(Date.now()).press(key('enter'))).toBe(true);
    draft = '';
    const just = open(Date.now());
    expect(just.press(text('1'))).toBe(false);
    expect(just.press(key('enter'))).toBe(true);
    expect(chosen).toEqual([]);
    seen.reject?.('no, use vitest');
    expect(reasons).toEqual(['no, use vitest']);
    open(0).press(text('2'));
    expect(chosen).toEqual([1]);
  });

  it('keeps a question from being answered under typing fingers', () => {
    const chosen: number[] = [];
    const dialog = new ChoiceDialog({
      title: 'Allow?',
      options: [{ label: 'Allow' }],
      hint: '',
      guard: new KeyGuard(Date.now()),
      onChosen: (index) => chosen.push(index),
    });
    dialog.press(text('1'));
    expect(chosen).toEqual([]);
  });
});

const FORM = {
  type: 'object',
  required: ['name'],
  properties: {
    name: { type: 'string', title: 'Your name', minLength: 2, maxLength: 5 },
    mail: { type: 'string', format: 'email' },
    count: { type: 'integer', minimum: 1, maximum: 5, default: 3 },
    kind: {
      type: 'string',
      oneOf: [
        { const: 'a', title: 'First' },
        { const: 'b', title: 'Second' },
      ],
    },
    tags: {
      type: 'array',
      minItems: 1,
      items: {
        anyOf: [
          { const: 'x', title: 'X' },
          { const: 'y', title: 'Y' },
        ],
      },
    },
    sure: { type: 'boolean', default: false },
  },
} as unknown as ElicitationSchema;

describe('a form', () => {
  const fields = new Map(readFields(FORM).map((field) => [field.name, field]));
  const parse = (name: string, input: string): unknown => {
    const field = fields.get(name) as FormField;
    const answer = parseAnswer(field, input);
    return answer.type === 'value' ? answer.value : answer.type === 'wrong' ? answer.because : undefined;
  };

  it.each([
    ['name', 'Ada', 'Ada'],
    ['name', '', 'This is required.'],
    ['name', 'A', 'This needs at least 2 characters.'],
    ['name', 'Adelaide', 'This may have at most 5 characters.'],
    ['mail', '', undefined],
    ['mail', 'nobody', 'This is not a valid email.'],
    ['mail', 'me@example.org', 'me@example.org'],
    ['count', '', 3],
    ['count', '2', 2],
    ['count', '2.5', 'This must be a whole number.'],
    ['count', '9', 'This must be at most 5.'],
    ['count', 'many', 'This is not a number.'],
    ['kind', '2', 'b'],
    ['kind', 'First', 'a'],
    ['kind', '3', 'Answer with the number of one option.'],
    ['tags', '1, 2', ['x', 'y']],
    ['sure', 'yes', true],
    ['sure', '', false],
    ['sure', 'perhaps', 'Answer yes or no.'],
  ])('reads %s from %j as %j', (name, input, expected) => {
    expect(parse(name, input)).toEqual(expected);
  });

  it('is filled in field by field, with a way back', () => {
    const responses: FormReply[] = [];
    const dialog = new FormDialog({
      questionId: 'q',
      form: FORM,
      guard: new KeyGuard(0),
      onDone: (response) => responses.push(response),
    });
    const title = (): string => textOfLine(dialog.view(TEST_VIEW)[0] ?? []);
    dialog.press(text('Eve'));
    dialog.press(key('enter'));
    expect(title()).toContain('mail (optional) 2 of 6');
    dialog.press(key('shift+tab'));
    expect(dialog.editor?.text).toBe('Eve');
    dialog.press(key('enter'));
    dialog.press(key('enter'));
    expect(dialog.editor?.text).toBe('3');
    dialog.press(key('enter'));
    dialog.press(text('1'));
    dialog.press(text('2'));
    dialog.press(key('enter'));
    dialog.press(text('y'));
    expect(textOfLine(dialog.view({ ...TEST_VIEW, width: 200 })[0] ?? [])).toContain(
      'send the answers?  Your name: Eve, count: 3, kind: First, tags: Y, sure: yes',
    );
    dialog.press(key('enter'));
    expect(responses).toEqual([
      { action: 'accept', content: { name: 'Eve', count: 3, kind: 'a', tags: ['y'], sure: true } },
    ]);
  });

  it('of one field is sent with the answer', () => {
    const responses: FormReply[] = [];
    const dialog = new FormDialog({
      questionId: 'q',
      form: { type: 'object', properties: { port: { type: 'integer', title: 'Which port?' } } },
      guard: new KeyGuard(0),
      onDone: (response) => responses.push(response),
    });
    dialog.press(text('80x'));
    dialog.press(key('enter'));
    expect(responses).toEqual([]);
    dialog.press(key('backspace'));
    dialog.press(key('enter'));
    expect(responses).toEqual([{ action: 'accept', content: { port: 80 } }]);
  });

  it('can be declined and dismissed', () => {
    const actions: string[] = [];
    const open = (): FormDialog =>
      new FormDialog({
        questionId: 'q',
        form: FORM,
        guard: new KeyGuard(0),
        onDone: ({ action }) => actions.push(action),
      });
    open().press(key('ctrl+d'));
    open().press(key('escape'));
    expect(actions).toEqual(['decline', 'cancel']);
  });
});

describe('a permission question', () => {
  it('shows the whole command with its variables, where it runs, and the changes', () => {
    const lines = viewPermission(
      {
        type: 'permission',
        questionId: 'q',
        sessionId: 's',
        because: 'No rule allows it.',
        options: [],
        toolCall: {
          toolCallId: 't',
          title: 'Clean up\u001b[2J',
          kind: 'execute',
          rawInput: { command: ['rm', '-rf', 'my dist'], env: { FORCE: '1' }, cwd: '/home/me/other' },
          content: [{ type: 'diff', path: '/proj/a.ts', oldText: 'x\n', newText: 'y\n' }],
          meta: {
            safetyLevel: 3,
            approvalHints: { rollbackSteps: 'git checkout\u001b[2J a.ts', alternativePlan: 'move it away' },
          },
        },
      },
      TEST_VIEW,
    ).map(textOfLine);
    expect(lines).toEqual([
      '? Clean up[U+001B][2J',
      "    $ FORCE=1 rm -rf 'my dist'",
      '    in ~/other',
      '    No rule allows it.',
      '    Says the agent: high impact (level 3 of 4).',
      '    To undo it: git checkout a.ts',
      '    Instead of it: move it away',
      '    a.ts',
      '    1 - x',
      '    1 + y',
    ]);
  });
});
