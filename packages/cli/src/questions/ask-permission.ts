import type { PermissionAnswer, PermissionQuestion } from '@parley/client';
import { diffsOf } from '@parley/protocol';
import { titleOf, viewAskedFor } from '../chat/question/permission-view.ts';
import { shortLine } from '../terminal/text/clean-text.ts';
import { paint } from '../terminal/text/paint.ts';
import type { ViewOptions } from '../view/view-options.ts';
import type { Lines } from './terminal-talk.ts';

export interface PermissionLook {
  readonly view: () => ViewOptions;
  readonly hasColor: boolean;
}

/** Puts a permission to the person at the terminal: the agent's own options, numbered, in its order. */
export async function askPermission(
  question: PermissionQuestion,
  lines: Lines,
  options: PermissionLook,
): Promise<PermissionAnswer> {
  lines.say(`\n${describe(question, options)}`);
  for (;;) {
    const line = (await lines.read('choose: ')).trim();
    const option = question.options[Number(line) - 1];
    if (option) return { optionId: option.optionId };
    if (/^(n|no)$/i.test(line)) return 'reject';
    if (/^(y|yes)$/i.test(line)) return 'allow';
    lines.say(`Type a number from 1 to ${question.options.length}.`);
  }
}

/**
 * What the agent wants to do, exactly as the chat shows it, changes included, and the choices. Whatever comes from the
 * agent is indented or in one line: none of it can pass for a line of the question.
 */
function describe(question: PermissionQuestion, { view, hasColor }: PermissionLook): string {
  const { toolCall, options } = question;
  const hasDiff = diffsOf(toolCall.content).length > 0;
  return [
    `Waiting for you: ${titleOf(question)}`,
    // Without colours there are no sequences at all, not even for bold.
    ...viewAskedFor(question, view()).map((line) =>
      paint(hasColor ? line : line.map(({ text }) => ({ text })), { hasColor }),
    ),
    ...(hasDiff ? [] : (toolCall.locations ?? []).map(({ path }) => `    ${shortLine(path)}`)),
    ...options.map(({ name }, index) => `  ${index + 1} ${shortLine(name)}`),
  ].join('\n');
}
