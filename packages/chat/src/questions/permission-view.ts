import type { PermissionQuestion } from '@parley/client';
import { quoteWord } from '@parley/host/terminal';
import { requestFromToolCall, SAFETY_LEVELS } from '@parley/policy';
import { toolCallToV1 } from '@parley/session';
import {
  type AskedInput,
  COMMAND_FOLD,
  type FoldLimits,
  foldText,
  readAskedFor,
  TEXT_FOLD,
  wordHidden,
} from '@parley/session/view';
import {
  cleanLine,
  type Line,
  STYLES,
  visibleText,
  withPrefix,
  wrapHard,
  wrapOutput,
  wrapWords,
} from '@parley/terminal';
import { MarkdownStream, renderBlocks } from '@parley/terminal/markdown';
import { titleOf } from '../view/describe-question.ts';
import { viewProposedDiffs } from '../view/tool-call-view.ts';
import type { ViewOptions } from '../view/view-options.ts';
import { wordPath } from '../view/wording.ts';

const MAX_HINT_CHARACTERS = 400;

/**
 * What a permission is asked for, exactly: the command and where it runs, the address, the changes, the input, whatever the
 * agent shows. It goes into the scrollback, so that the answers below it are always within reach.
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
  const request = requestFromToolCall(toolCallToV1(toolCall));
  const asked = readAskedFor(question, request, { cwd: options.cwd, quote: quoteWord });
  const { command, text } = asked;
  const rows: Line[] = [];
  for (const words of asked.words) rows.push(...wrapWords([{ text: visibleLine(words) }], room));
  if (command !== undefined) {
    const { lines, more } = fold(visibleText(command.text), COMMAND_FOLD, options);
    for (const line of lines) rows.push(...wrapOutput([{ text: `$ ${line}`, style: STYLES.code }], room));
    rows.push(...more);
    const folder = visibleLine(wordPath(command.cwd, command.cwd, options.home));
    rows.push(...wrapOutput([{ text: `in ${folder}`, style: STYLES.dim }], room));
  }
  if (asked.url !== undefined && !asked.title.includes(asked.url))
    rows.push(...wrapHard([{ text: visibleLine(asked.url), style: STYLES.link }], room));
  for (const path of asked.paths) rows.push(...wrapOutput([{ text: visibleLine(path), style: STYLES.dim }], room));
  if (text !== undefined) rows.push(...viewText(text, options));
  for (const field of asked.input) rows.push(...viewInput(field, options));
  for (const line of [...(because === undefined ? [] : [because]), ...wordSafety(request)])
    rows.push(...wrapWords([{ text: cleanLine(line), style: STYLES.dim }], room));
  return [
    ...withPrefix(rows, [{ text: '    ' }]),
    ...viewProposedDiffs({ content: toolCall.content ?? [], title: toolCall.title ?? '' }, options),
  ];
}

function viewText(text: string, options: ViewOptions): Line[] {
  const { lines, more } = fold(visibleText(text), TEXT_FOLD, options);
  const stream = new MarkdownStream();
  stream.push(lines.join('\n'));
  // The first row is the gap between blocks.
  return [...renderBlocks(stream.finish(), Math.max(1, options.width - 4)).slice(1), ...more];
}

/** `name: value`; a value of several lines stands below its name. */
function viewInput({ name, text, fold: limits }: AskedInput, options: ViewOptions): Line[] {
  const room = Math.max(1, options.width - 4);
  const label = { text: `${visibleLine(name)}: `, style: STYLES.dim };
  const { lines, more } = fold(visibleText(text), limits, options);
  const [only = '', ...others] = lines;
  if (others.length === 0) return [...wrapOutput([label, { text: only, style: STYLES.code }], room), ...more];
  const rows = lines.flatMap((line) => wrapOutput([{ text: line, style: STYLES.code }], Math.max(1, room - 2)));
  return [[label], ...withPrefix(rows, [{ text: '  ' }]), ...more];
}

function visibleLine(text: string): string {
  return cleanLine(visibleText(text));
}

/** The lines that are shown, and below them how many characters are not, and what shows them. */
function fold(
  text: string,
  limits: FoldLimits,
  { isDetailed, showsAll }: ViewOptions,
): { readonly lines: readonly string[]; readonly more: readonly Line[] } {
  const { head, hidden } = isDetailed ? { head: text, hidden: 0 } : foldText(text, limits);
  const way = showsAll === undefined ? '' : ` (${showsAll} shows all)`;
  const more = hidden === 0 ? [] : [[{ text: `${wordHidden(hidden)}${way}`, style: STYLES.dim }]];
  return { lines: head.split('\n'), more };
}

/** What the agent says about the harm: it informs the person, and decides nothing. */
function wordSafety({ claimedLevel, hints = {} }: ReturnType<typeof requestFromToolCall>): string[] {
  const { rollbackSteps, alternativePlan } = hints;
  return [
    ...(claimedLevel === undefined
      ? []
      : [`Says the agent: ${SAFETY_LEVELS[claimedLevel]} (level ${claimedLevel} of 4).`]),
    ...(rollbackSteps === undefined ? [] : [`To undo it: ${rollbackSteps.slice(0, MAX_HINT_CHARACTERS)}`]),
    ...(alternativePlan === undefined ? [] : [`Instead of it: ${alternativePlan.slice(0, MAX_HINT_CHARACTERS)}`]),
  ];
}
