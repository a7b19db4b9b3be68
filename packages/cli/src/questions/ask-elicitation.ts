import type { ElicitationHandler, ElicitationQuestion } from '@parley/client';
import type { CreateElicitationResponse, ElicitationContentValue } from '@parley/protocol';
import { openPage } from '../chat/interactive/open-page.ts';
import { type FormField, parseAnswer, readFields } from '../chat/question/form-fields.ts';
import { cleanText, shortLine } from '../terminal/text/clean-text.ts';
import type { Lines, TerminalTalk } from './terminal-talk.ts';

/** Puts an agent's form to the person at the terminal, field by field. Ctrl-D dismisses it. */
export function askFormIn(talk: TerminalTalk): ElicitationHandler {
  return async (question, { signal }) => (await talk.hold(signal, (lines) => askForm(question, lines))) ?? DISMISSED;
}

/** Shows the whole address that an agent wants the person to visit; nothing opens it before they say so. */
export function askToVisitIn(talk: TerminalTalk): ElicitationHandler {
  return async (question, { signal }) => (await talk.hold(signal, (lines) => askToVisit(question, lines))) ?? DISMISSED;
}

const DISMISSED: CreateElicitationResponse = { action: 'cancel' };

async function askForm({ request }: ElicitationQuestion, lines: Lines): Promise<CreateElicitationResponse> {
  lines.say(`\nWaiting for you: ${cleanText(request.message)}`);
  const fields = readFields(request);
  lines.say(fields.length === 0 ? '  1 Yes\n  2 No' : `  (${describeKeys(fields)})`);
  if (fields.length === 0) return { action: (await choose(2, lines)) === 0 ? 'accept' : 'decline' };
  const content: Record<string, ElicitationContentValue> = {};
  for (const field of fields) {
    const value = await askField(field, lines);
    if (value === DECLINED) return { action: 'decline' };
    if (value !== undefined) content[field.name] = value;
  }
  return { action: 'accept', content };
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
const DECLINED = Symbol('declined');

async function askField(
  field: FormField,
  lines: Lines,
): Promise<ElicitationContentValue | undefined | typeof DECLINED> {
  const { title, description, options, kind } = field;
  const note = description === undefined ? '' : `: ${shortLine(description)}`;
  lines.say(`  ${shortLine(title)}${field.isRequired ? '' : ' (optional)'}${note}`);
  for (const [index, option] of options.entries()) {
    const more = option.description === undefined ? '' : ` - ${shortLine(option.description)}`;
    lines.say(`  ${index + 1} ${shortLine(option.label)}${more}`);
  }
  for (;;) {
    const line = await lines.read(`${PROMPTS[kind]}${describePreset(field)}: `);
    if (line.trim() === DECLINE_WORD) return DECLINED;
    const answer = parseAnswer(field, line);
    if (answer.type === 'value') return answer.value;
    if (answer.type === 'skipped') return undefined;
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

async function askToVisit({ request }: ElicitationQuestion, lines: Lines): Promise<CreateElicitationResponse> {
  const url = String('url' in request ? request.url : '');
  lines.say(`\nWaiting for you: ${cleanText(request.message)}`);
  lines.say(`  ${cleanText(url).replaceAll(/\s/g, '')}`);
  lines.say('  1 Open it in the browser\n  2 I have opened it myself\n  3 Decline');
  const chosen = await choose(3, lines);
  if (chosen === 0 && !openPage(url)) lines.say('This is no address of a web page; it was not opened.');
  return { action: chosen === 2 ? 'decline' : 'accept' };
}

async function choose(count: number, lines: Lines): Promise<number> {
  for (;;) {
    const line = (await lines.read('choose: ')).trim();
    const number = /^\d+$/.test(line) ? Number(line) : 0;
    if (number >= 1 && number <= count) return number - 1;
    lines.say(`Type a number from 1 to ${count}.`);
  }
}
