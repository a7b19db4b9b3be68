import type { ElicitationQuestion, PermissionQuestion, Question } from '@parley/client';
import type { CreateElicitationResponse, ElicitationContentValue } from '@parley/protocol';
import { cleanLine, cleanText } from '../../terminal/text/clean-text.ts';
import { textOfLine } from '../../terminal/text/styled-text.ts';
import type { ViewOptions } from '../../view/view-options.ts';
import { type FormField, parseAnswer, readFields } from '../question/form-fields.ts';
import { titleOf, viewPermission } from '../question/permission-view.ts';

/** How a question is put line by line. */
export interface PlainAsk {
  readonly say: (line: string) => void;
  /** The answer to what was said last; undefined when there will be none. */
  readonly answer: (prompt: string) => Promise<string | undefined>;
  readonly view: ViewOptions;
}

/** Puts a question in plain lines with numbered answers. Undefined when nobody answers, which allows nothing. */
export function askPlainly(question: Question, ask: PlainAsk): Promise<unknown> {
  if (question.type === 'permission') return askPermission(question, ask);
  return question.mode === 'url' ? askToVisit(question, ask) : askForm(question, ask);
}

async function askPermission(question: PermissionQuestion, ask: PlainAsk): Promise<unknown> {
  ask.say(`permission: waiting for you: ${titleOf(question)}`);
  for (const line of viewPermission(question, ask.view).slice(1)) ask.say(textOfLine(line).trimEnd());
  const index = await chooseNumber(
    question.options.map(({ name }) => name),
    ask,
  );
  const option = index === undefined ? undefined : question.options[index];
  return option ? { optionId: option.optionId } : 'reject';
}

async function askToVisit({ request }: ElicitationQuestion, ask: PlainAsk): Promise<CreateElicitationResponse> {
  ask.say(`question: waiting for you: ${cleanLine(request.message)}`);
  ask.say(`  Page: ${cleanLine(String((request as { url?: unknown }).url ?? ''))}`);
  const index = await chooseNumber(['I have opened it', 'Decline'], ask);
  return { action: index === 0 ? 'accept' : index === 1 ? 'decline' : 'cancel' };
}

async function askForm({ request }: ElicitationQuestion, ask: PlainAsk): Promise<CreateElicitationResponse> {
  ask.say(`question: waiting for you: ${cleanText(request.message).replaceAll('\n', '\n  ')}`);
  const content: Record<string, ElicitationContentValue> = {};
  for (const field of readFields(request)) {
    const value = await askField(field, ask);
    if (value === 'ended') return { action: 'cancel' };
    if (value !== undefined) content[field.name] = value;
  }
  return { action: 'accept', content };
}

async function askField(field: FormField, ask: PlainAsk): Promise<ElicitationContentValue | undefined | 'ended'> {
  const note = field.description === undefined ? '' : ` (${cleanLine(field.description)})`;
  ask.say(`  ${cleanLine(field.title)}${field.isRequired ? '' : ', optional'}${note}`);
  for (const [index, { label }] of field.options.entries()) ask.say(`  ${index + 1} ${cleanLine(label)}`);
  for (;;) {
    const line = await ask.answer(PROMPTS[field.kind]);
    if (line === undefined) return 'ended';
    const answer = parseAnswer(field, line);
    if (answer.type === 'value') return answer.value;
    if (answer.type === 'skipped') return undefined;
    ask.say(`  ${answer.because}`);
  }
}

const PROMPTS: { readonly [Kind in FormField['kind']]: string } = {
  text: 'answer: ',
  number: 'number: ',
  boolean: 'yes or no: ',
  choice: 'number: ',
  multi: 'numbers, parted by commas: ',
};

/** Only the number of an option is an answer; anything else is asked again. */
export async function chooseNumber(labels: readonly string[], ask: PlainAsk): Promise<number | undefined> {
  for (const [index, label] of labels.entries()) ask.say(`  ${index + 1} ${cleanLine(label)}`);
  for (;;) {
    const line = await ask.answer(`answer 1-${labels.length}: `);
    if (line === undefined) return undefined;
    const number = /^\s*\d+\s*$/.test(line) ? Number(line) : 0;
    if (number >= 1 && number <= labels.length) return number - 1;
    ask.say(`  Please answer with a number from 1 to ${labels.length}.`);
  }
}
