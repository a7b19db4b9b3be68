import type { FormQuestion, FormReply, PageQuestion, PermissionQuestion, Question } from '@parley/client';
import { openPage } from '@parley/host/programs';
import { findPermissionOption } from '@parley/policy/options';
import type { ElicitationContentValue } from '@parley/protocol';
import type { ToolCallContent } from '@parley/session';
import { type Line, STYLES, withPrefix, wrapHard, wrapWords } from '@parley/terminal';
import { ChoiceDialog } from '../dialogs/choice-dialog.ts';
import type { Dialog } from '../dialogs/dialog.ts';
import { FormDialog } from '../dialogs/form-dialog.ts';
import { KeyGuard } from '../dialogs/key-guard.ts';
import { describeAnswers } from '../questions/describe-answers.ts';
import { readFields } from '../questions/form-fields.ts';
import { viewPermission } from '../questions/permission-view.ts';
import { addressOf, VISIT_CHOICES, wordQuestion } from '../view/describe-question.ts';
import type { ViewOptions } from '../view/view-options.ts';

export interface QuestionContext {
  readonly options: ViewOptions;
  readonly answer: (questionId: string, answer: unknown) => void;
  /** Keeps in the scrollback what was answered. */
  readonly record: (words: string) => void;
  /** Whether nothing is written in the prompt. */
  readonly isDraftEmpty: () => boolean;
  /** Says something to the agent as soon as it listens. */
  readonly tell: (text: string) => void;
}

/** What appears for a question: lines for the scrollback, and a dialog below them. */
export interface AskedQuestion {
  readonly dialog: Dialog;
  readonly announcement: readonly Line[];
  /** The tool call whose content the announcement shows. */
  readonly shown?: { readonly toolCallId: string; readonly content: readonly ToolCallContent[] };
}

export function askQuestion(question: Question, context: QuestionContext): AskedQuestion {
  if (question.type === 'permission') return askPermission(question, context);
  return question.type === 'page' ? askToVisit(question, context) : askForm(question, context);
}

/** The agent's own options in its own order; none is selected, so nothing is allowed by a stray Enter. */
function askPermission(question: PermissionQuestion, context: QuestionContext): AskedQuestion {
  const { options, answer, record, isDraftEmpty, tell } = context;
  const dialog = new ChoiceDialog({
    questionId: question.questionId,
    title: `Waiting for you: ${wordQuestion(question)}`,
    options: question.options.map(({ name }) => ({ label: name })),
    hint: 'number answers · text, then enter: reject and say why · esc stops the turn',
    guard: new KeyGuard(Date.now()),
    isDraftEmpty,
    onChosen: (index) => {
      const option = question.options[index];
      if (!option) return;
      record(option.name);
      answer(question.questionId, { optionId: option.optionId });
    },
    // ACP has no place for a reason in the answer, so the agent hears it as the next prompt.
    onReason: (reason) => {
      record(`${findPermissionOption(question.options, 'reject_once')?.name ?? 'rejected'}, and said why`);
      answer(question.questionId, 'reject');
      tell(reason);
    },
  });
  const { toolCallId, content } = question.toolCall;
  return {
    dialog,
    announcement: viewPermission(question, options),
    shown: { toolCallId, content: content ?? [] },
  };
}

function askForm(question: FormQuestion, { options, answer, record }: QuestionContext): AskedQuestion {
  const dialog = new FormDialog({
    questionId: question.questionId,
    form: question.form,
    guard: new KeyGuard(Date.now()),
    onDone: (response) => {
      record(wordResponse(question, response));
      answer(question.questionId, response);
    },
  });
  return { dialog, announcement: viewMessage(question, options) };
}

function wordResponse({ form }: FormQuestion, response: FormReply): string {
  const words = WORDED_ACTIONS[response.action] ?? response.action;
  const { content } = response as { readonly content?: Readonly<Record<string, ElicitationContentValue>> | null };
  const answers = response.action === 'accept' && content ? describeAnswers(readFields(form), content) : '';
  return answers === '' ? words : `${words}: ${answers}`;
}

const WORDED_ACTIONS: Readonly<Record<string, string>> = { accept: 'sent', decline: 'declined', cancel: 'dismissed' };

/** The whole address is shown, and nothing opens it before the person says so. */
function askToVisit(question: PageQuestion, context: QuestionContext): AskedQuestion {
  const { options, answer, record, isDraftEmpty } = context;
  const address = addressOf(question);
  const dialog = new ChoiceDialog({
    questionId: question.questionId,
    title: 'Waiting for you: the agent asks you to visit this page',
    options: VISIT_CHOICES.map(({ label }) => ({ label })),
    hint: 'number answers · esc stops the turn',
    guard: new KeyGuard(Date.now()),
    isDraftEmpty,
    onChosen: (index) => {
      const does = VISIT_CHOICES[index]?.does;
      const isOpened = does === 'open' && openPage(address);
      record(does === 'decline' ? 'declined' : isOpened ? 'opened in the browser' : 'accepted');
      answer(question.questionId, { action: does === 'decline' ? 'decline' : 'accept' });
    },
  });
  const rows = wrapHard([{ text: address, style: STYLES.link }], Math.max(1, options.width - 4));
  return { dialog, announcement: [...viewMessage(question, options), ...withPrefix(rows, [{ text: '    ' }])] };
}

function viewMessage(question: FormQuestion | PageQuestion, { width, marks }: ViewOptions): Line[] {
  const rows = wordQuestion(question)
    .split('\n')
    .flatMap((line) => wrapWords([{ text: line, style: STYLES.bold }], Math.max(1, width - 2)));
  return withPrefix(rows, [{ text: `${marks.question} `, style: STYLES.question }]);
}
