import type { PermissionQuestion } from '@parley/client';
import { quoteWord } from '@parley/host/terminal';
import { requestFromToolCall, SAFETY_LEVELS } from '@parley/policy';
import { textOfToolCall } from '@parley/protocol';
import { toolCallToV1 } from '@parley/session';
import { diffPartsOf } from '@parley/session/view';
import { MarkdownStream } from '../terminal/markdown/markdown-stream.ts';
import { renderBlocks } from '../terminal/markdown/render-blocks.ts';
import { cleanLine, cleanText, shortLine } from '../terminal/text/clean-text.ts';
import { type Line, STYLES } from '../terminal/text/styled-text.ts';
import { withPrefix, wrapOutput, wrapWords } from '../terminal/text/wrap.ts';
import { viewProposedDiffs } from '../view/tool-call-view.ts';
import type { ViewOptions } from '../view/view-options.ts';
import { wordPath } from '../view/wording.ts';
import { titleOf } from './describe-question.ts';

const MAX_COMMAND_CHARACTERS = 8000;
const MAX_CONTENT_ROWS = 40;
const MAX_HINT_CHARACTERS = 400;

/**
 * What a permission is asked for, exactly: the command and where it runs, the changes, whatever the agent shows. It goes
 * into the scrollback, however long it is, so that the answers below it are always within reach.
 */
export function viewPermission(question: PermissionQuestion, options: ViewOptions): Line[] {
  const head = wrapWords([{ text: titleOf(question), style: STYLES.bold }], Math.max(1, options.width - 2));
  return [
    ...withPrefix(head, [{ text: `${options.marks.question} `, style: STYLES.question }]),
    ...viewAskedFor(question, options),
  ];
}

/** The same without its title; every line is indented. */
export function viewAskedFor(question: PermissionQuestion, options: ViewOptions): Line[] {
  const { toolCall, because } = question;
  const room = Math.max(1, options.width - 4);
  const indent: Line = [{ text: '    ' }];
  const command = commandOf(question);
  const { cwd: folder = options.cwd } = requestFromToolCall(toolCallToV1(toolCall));
  const rows: Line[] = [];
  for (const words of wordsOf(question, command)) rows.push(...wrapWords([{ text: cleanLine(words) }], room));
  if (command !== undefined) {
    for (const line of command.split('\n')) rows.push(...wrapOutput([{ text: `$ ${line}`, style: STYLES.code }], room));
    rows.push(...wrapOutput([{ text: `in ${wordPath(folder, folder, options.home)}`, style: STYLES.dim }], room));
  }
  const text = textOfToolCall(toolCall.content);
  if (diffPartsOf(toolCall.content).length === 0 && text.trim() !== '' && text.trim() !== command?.trim()) {
    const stream = new MarkdownStream();
    stream.push(text);
    rows.push(...renderBlocks(stream.finish(), room).slice(1, MAX_CONTENT_ROWS));
  }
  for (const line of [...(because === undefined ? [] : [because]), ...wordSafety(question)])
    rows.push(...wrapWords([{ text: cleanLine(line), style: STYLES.dim }], room));
  // The folder of a command stands beside it.
  const places = placesOf(question).filter((path) => command === undefined || path !== folder);
  for (const path of places) rows.push(...wrapOutput([{ text: path, style: STYLES.dim }], room));
  return [
    ...withPrefix(rows, indent),
    ...viewProposedDiffs({ content: toolCall.content ?? [], title: toolCall.title ?? '' }, options),
  ];
}

/** What the agent says beside the title of its question: the title of the call itself, and why it asks. */
function wordsOf({ title, description, toolCall }: PermissionQuestion, command: string | undefined): string[] {
  const call = title === undefined || toolCall.title === command ? undefined : toolCall.title;
  return [call, description].flatMap((words) => (words == null || words === '' ? [] : [words]));
}

/** The files it is about, unless the title or the changes name them. */
function placesOf(question: PermissionQuestion): readonly string[] {
  const { content, locations } = question.toolCall;
  if (diffPartsOf(content).length > 0) return [];
  const title = titleOf(question);
  return (locations ?? []).map(({ path }) => shortLine(path)).filter((path) => !title.includes(path));
}

/** What the agent says about the harm: it informs the person, and decides nothing. */
function wordSafety({ toolCall }: PermissionQuestion): string[] {
  const { claimedLevel, hints = {} } = requestFromToolCall(toolCallToV1(toolCall));
  const { rollbackSteps, alternativePlan } = hints;
  return [
    ...(claimedLevel === undefined
      ? []
      : [`Says the agent: ${SAFETY_LEVELS[claimedLevel]} (level ${claimedLevel} of 4).`]),
    ...(rollbackSteps === undefined ? [] : [`To undo it: ${rollbackSteps.slice(0, MAX_HINT_CHARACTERS)}`]),
    ...(alternativePlan === undefined ? [] : [`Instead of it: ${alternativePlan.slice(0, MAX_HINT_CHARACTERS)}`]),
  ];
}

/** The command as it will be run; undefined when it is not about one. */
function commandOf({ toolCall }: PermissionQuestion): string | undefined {
  const { command } = requestFromToolCall(toolCallToV1(toolCall));
  if (!command) return undefined;
  const text = cleanText(wordEnvironment(command) + wordCommand(command));
  return text.length <= MAX_COMMAND_CHARACTERS
    ? text
    : `${text.slice(0, MAX_COMMAND_CHARACTERS)}\n… and ${text.length - MAX_COMMAND_CHARACTERS} more characters`;
}

type Command = NonNullable<ReturnType<typeof requestFromToolCall>['command']>;

function wordCommand(command: Command): string {
  if (command.type === 'arguments') return command.words.map(quoteWord).join(' ');
  return command.type === 'line' ? command.line : command.text;
}

function wordEnvironment(command: Command): string {
  const variables = command.type === 'unclear' ? {} : (command.environment ?? {});
  return Object.entries(variables)
    .map(([name, value]) => `${name}=${quoteWord(value)} `)
    .join('');
}
