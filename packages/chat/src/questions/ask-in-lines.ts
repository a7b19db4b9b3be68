import type {
  FormQuestion,
  FormReply,
  PageQuestion,
  PermissionAnswer,
  PermissionQuestion,
  Question,
} from '@parley/client';
import { openPage } from '@parley/host/programs';
import { findPermissionOption } from '@parley/policy/options';
import type { ElicitationContentValue } from '@parley/protocol';
import { type Line, shortLine } from '@parley/terminal';
import { addressOf, VISIT_CHOICES, wordQuestion } from '../view/describe-question.ts';
import type { ViewOptions } from '../view/view-options.ts';
import { type FormField, parseAnswer, readFields } from './form-fields.ts';
import { viewAskedFor } from './permission-view.ts';

/** A person who is asked line by line: at a terminal by `exec`, or in the plain chat. */
export interface Lines {
  /** Says that a question has come, and what it is. */
  announce(kind: 'permission' | 'question', words: string): void;
  say(text: string): void;
  show(line: Line): void;
  /** A line that the person writes; undefined when there will be none. */
  read(prompt: string): Promise<string | undefined>;
  view(): ViewOptions;
  /** Whether a page may be opened in a browser from here. */
  readonly canOpenPages: boolean;
}

/** Puts any question in lines, with numbered answers. Undefined when nobody answers, which allows nothing. */
export function askInLines(question: Question, lines: Lines): Promise<PermissionAnswer | FormReply | undefined> {
  if (question.type === 'permission') return askPermission(question, lines);
  return question.type === 'page' ? askToVisit(question, lines) : askForm(question, lines);
}

/**
 * The agent's own options, numbered, in its order, below what it wants to do exactly. Whatever comes from the agent is
 * indented or in one line: none of it can pass for a line of the question.
 */
export async function askPermission(question: PermissionQuestion, lines: Lines): Promise<PermissionAnswer | undefined> {
  lines.announce('permission', wordQuestion(question));
  const view = { ...lines.view(), showsAll: `"${SHOW_WORD}"` };
  const show = (isDetailed: boolean) => viewAskedFor(question, { ...view, isDetailed });
  const [short, whole] = [show(view.isDetailed), show(true)];
  const isFolded = JSON.stringify(short) !== JSON.stringify(whole);
  for (const line of short) lines.show(line);
  const names = question.options.map(({ name }) => name);
  const readOther = (line: string): PermissionAnswer | typeof SHOW_WORD | undefined =>
    isFolded && line === SHOW_WORD ? SHOW_WORD : readWord(question, line);
  let chosen = await choose(names, lines, readOther);
  while (chosen === SHOW_WORD) {
    for (const line of whole) lines.show(line);
    chosen = await choose(names, lines, readOther);
  }
  if (typeof chosen !== 'number') return chosen;
  const option = question.options[chosen];
  return option && { optionId: option.optionId };
}

/** The name of an approval that lasts says what it covers: all of what the policy words in up to 300 characters. */
const MAX_LABEL_CHARACTERS = 400;

/** Shows everything that is folded. */
const SHOW_WORD = 'full';

/** "Yes" stands for the only approval for once; where there are several, it is no answer. */
function readWord({ options }: PermissionQuestion, word: string): PermissionAnswer | undefined {
  if (/^no?$/i.test(word)) return 'reject';
  const approval = /^y(es)?$/i.test(word) ? findPermissionOption(options, 'allow_once') : undefined;
  return approval && { optionId: approval.optionId };
}

/** A form, field by field. */
export async function askForm(question: FormQuestion, lines: Lines): Promise<FormReply | undefined> {
  lines.announce('question', indented(wordQuestion(question)));
  const fields = readFields(question.form);
  if (fields.length === 0) {
    const index = await chooseNumber(['Yes', 'No'], lines);
    return index === undefined ? undefined : { action: index === 0 ? 'accept' : 'decline' };
  }
  lines.say(`  (${describeKeys(fields)})`);
  const content: Record<string, ElicitationContentValue> = {};
  for (const field of fields) {
    const answer = await askField(field, lines);
    if (!answer) return undefined;
    if (answer === 'declined') return { action: 'decline' };
    if (answer.type === 'value') content[field.name] = answer.value;
  }
  return { action: 'accept', content };
}

/** The whole address is shown, and nothing opens it before the person says so. */
export async function askToVisit(question: PageQuestion, lines: Lines): Promise<FormReply | undefined> {
  lines.announce('question', indented(wordQuestion(question)));
  const address = addressOf(question);
  lines.say(`  ${address}`);
  const choices = VISIT_CHOICES.filter(({ does }) => does !== 'open' || lines.canOpenPages);
  const index = await chooseNumber(
    choices.map(({ label }) => label),
    lines,
  );
  const does = index === undefined ? undefined : choices[index]?.does;
  if (does === undefined) return undefined;
  if (does === 'open' && !openPage(address)) lines.say('This is no address of a web page; it was not opened.');
  return { action: does === 'decline' ? 'decline' : 'accept' };
}

/** The number of one of some answers; anything else is asked again. Undefined when nobody answers. */
export function chooseNumber(labels: readonly string[], lines: Lines): Promise<number | undefined> {
  return choose<never>(labels, lines, () => undefined);
}

async function choose<Other>(
  labels: readonly string[],
  lines: Lines,
  readOther: (line: string) => Other | undefined,
): Promise<number | Other | undefined> {
  for (const [index, label] of labels.entries()) lines.say(`  ${index + 1} ${shortLine(label, MAX_LABEL_CHARACTERS)}`);
  for (;;) {
    const line = (await lines.read('choose: '))?.trim();
    if (line === undefined) return undefined;
    const number = /^\d+$/.test(line) ? Number(line) : 0;
    if (number >= 1 && number <= labels.length) return number - 1;
    const other = readOther(line);
    if (other !== undefined) return other;
    lines.say(`Type a number from 1 to ${labels.length}.`);
  }
}

function describeKeys(fields: readonly FormField[]): string {
  const hasPreset = fields.some(({ preset }) => preset !== undefined);
  const hasOptional = fields.some(({ preset, isRequired }) => preset === undefined && !isRequired);
  return [
    ...(hasPreset ? ['Enter takes what is in brackets'] : []),
    ...(hasOptional ? ['Enter leaves out what is optional'] : []),
    `${DECLINE_WORD} declines`,
    'Ctrl-D dismisses',
  ].join(', ');
}

/** What no field is likely to want. */
const DECLINE_WORD = '!no';

async function askField(
  field: FormField,
  lines: Lines,
): Promise<Exclude<ReturnType<typeof parseAnswer>, { type: 'wrong' }> | 'declined' | undefined> {
  const { title, description, options, kind } = field;
  const note = description === undefined ? '' : `: ${shortLine(description)}`;
  lines.say(`  ${shortLine(title)}${field.isRequired ? '' : ' (optional)'}${note}`);
  for (const [index, option] of options.entries()) {
    const more = option.description === undefined ? '' : ` - ${shortLine(option.description)}`;
    lines.say(`  ${index + 1} ${shortLine(option.label)}${more}`);
  }
  for (;;) {
    const line = await lines.read(`${PROMPTS[kind]}${describePreset(field)}: `);
    if (line === undefined) return undefined;
    if (line.trim() === DECLINE_WORD) return 'declined';
    const answer = parseAnswer(field, line);
    if (answer.type !== 'wrong') return answer;
    lines.say(`  ${answer.because}`);
  }
}

const PROMPTS: { readonly [Kind in FormField['kind']]: string } = {
  text: 'answer',
  number: 'number',
  boolean: 'yes or no',
  choice: 'choose',
  multi: 'choose some, parted by commas',
};

function describePreset({ preset, options }: FormField): string {
  if (preset === undefined) return '';
  const words = [preset].flat().map((value) => {
    if (typeof value === 'boolean') return value ? 'yes' : 'no';
    return options.find((option) => option.value === value)?.label ?? String(value);
  });
  return ` [${shortLine(words.join(', '))}]`;
}

/** Further lines of a message cannot pass for lines of ours. */
function indented(text: string): string {
  return text.replaceAll('\n', '\n  ');
}
