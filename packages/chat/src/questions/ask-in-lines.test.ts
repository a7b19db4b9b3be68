import type { FormQuestion, PageQuestion, PermissionQuestion, Question } from '@parley/client';
import { textOfLine } from '@parley/terminal';
import { describe, expect, it } from 'vitest';
import { TEST_VIEW } from '../../test/support/test-view.ts';
import { askInLines } from './ask-in-lines.ts';

const PERMISSION: PermissionQuestion = {
  type: 'permission',
  questionId: 'q1',
  sessionId: 's1',
  toolCall: { toolCallId: 't1', title: 'Remove dist', kind: 'execute', rawInput: { command: 'rm -rf dist' } },
  options: [
    { optionId: 'a', name: 'Allow', kind: 'allow_once' },
    { optionId: 'r', name: 'Reject', kind: 'reject_once' },
  ],
  because: 'No rule allows it.',
};

function form(properties: object, required: readonly string[] = []): FormQuestion {
  const schema = { type: 'object', properties, required } as FormQuestion['form'];
  return { type: 'form', questionId: 'q2', sessionId: 's1', message: 'Set it up\n1 Allow', form: schema };
}

const PAGE: PageQuestion = {
  type: 'page',
  questionId: 'q3',
  sessionId: 's1',
  message: 'Log in',
  elicitationId: 'e1',
  url: 'https://example.com/a b',
};

/** Asks somebody who writes these lines and then leaves. */
async function ask(question: Question, ...answers: readonly string[]) {
  const left = [...answers];
  const lines: string[] = [];
  const answer = await askInLines(question, {
    announce: (kind, words) => lines.push(`${kind}: ${words}`),
    say: (text) => lines.push(text),
    show: (line) => lines.push(textOfLine(line)),
    read: async (prompt) => {
      lines.push(prompt);
      return left.shift();
    },
    view: () => TEST_VIEW,
    canOpenPages: false,
  });
  return { answer, lines };
}

describe('a question in lines', () => {
  it('shows what is asked for, why, and the numbered answers', async () => {
    const { answer, lines } = await ask(PERMISSION, '2');
    expect(answer).toEqual({ optionId: 'r' });
    expect(lines).toEqual([
      ...['permission: Remove dist', '    $ rm -rf dist', '    in /proj', '    No rule allows it.'],
      ...['  1 Allow', '  2 Reject', 'choose: '],
    ]);
  });

  it.each([
    ['y', { optionId: 'a' }],
    ['No', 'reject'],
  ])('takes %s for an answer to a permission', async (word, answer) => {
    expect((await ask(PERMISSION, word)).answer).toEqual(answer);
  });

  it('takes yes for no answer where there are several', async () => {
    const options = [...PERMISSION.options, { optionId: 'b', name: 'Both', kind: 'allow_once' as const }];
    const { answer, lines } = await ask({ ...PERMISSION, options }, 'yes', '3');
    expect(answer).toEqual({ optionId: 'b' });
    expect(lines).toContain('Type a number from 1 to 3.');
  });

  it('asks again for whatever is no answer, and has none when nobody gives one', async () => {
    const { answer, lines } = await ask(PERMISSION, 'yes please', '0', '3', '');
    expect(answer).toBeUndefined();
    expect(lines.filter((line) => line === 'Type a number from 1 to 2.')).toHaveLength(4);
  });

  it('goes through a form field by field, checks each answer, and takes presets', async () => {
    const fields = {
      port: { type: 'integer', title: 'Port', minimum: 1 },
      size: { type: 'string', enum: ['s', 'm'], default: 'm' },
      note: { type: 'string' },
    };
    const { answer, lines } = await ask(form(fields, ['port']), '0', '80', '', '');
    expect(answer).toEqual({ action: 'accept', content: { port: 80, size: 'm' } });
    expect(lines[0]).toBe('question: Set it up\n  1 Allow');
    expect(lines).toContain('  This must be at least 1.');
    expect(lines).toContain('choose [m]: ');
  });

  it('is declined with a word, and dismissed when nobody answers', async () => {
    const question = form({ name: { type: 'string' } });
    expect((await ask(question, '!no')).answer).toEqual({ action: 'decline' });
    expect((await ask(question)).answer).toBeUndefined();
    expect((await ask(form({}), '1')).answer).toEqual({ action: 'accept' });
  });

  it('shows the whole address of a page, and offers to open it only where that can be done', async () => {
    const { answer, lines } = await ask(PAGE, '1');
    expect(answer).toEqual({ action: 'accept' });
    expect(lines).toEqual([
      ...['question: Log in', '  https://example.com/ab', '  1 I have opened it myself', '  2 Decline', 'choose: '],
    ]);
  });
});
