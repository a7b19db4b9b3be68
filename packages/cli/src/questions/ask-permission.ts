import type { PermissionAnswer, PermissionHandler, PermissionQuestion } from '@parley/client';
import { printable } from '../output/printable.ts';
import type { Lines, TerminalTalk } from './terminal-talk.ts';

/** Puts a permission to the person at the terminal: the agent's own options, numbered, in its order. */
export function askPermissionIn(talk: TerminalTalk): PermissionHandler {
  return async (question, { signal }) =>
    // No answer, since the input ended or the turn was cancelled: nobody has allowed anything.
    (await talk.hold(signal, (lines) => ask(question, lines))) ?? (signal.aborted ? 'cancel' : 'reject');
}

async function ask(question: PermissionQuestion, lines: Lines): Promise<PermissionAnswer> {
  lines.say(`\n${describe(question)}`);
  for (;;) {
    const line = (await lines.read('choose: ')).trim();
    const option = question.options[Number(line) - 1];
    if (option) return { optionId: option.optionId };
    if (/^(n|no)$/i.test(line)) return 'reject';
    if (/^(y|yes)$/i.test(line)) return 'allow';
    lines.say(`Type a number from 1 to ${question.options.length}.`);
  }
}

/** What the agent wants to do, exactly, and the choices. */
function describe({ toolCall, options, because }: PermissionQuestion): string {
  const { title, rawInput, locations = [] } = toolCall;
  const command = commandOf(rawInput);
  return [
    `Waiting for you: ${printable(title ?? toolCall.toolCallId)}`,
    ...(command === undefined || title?.includes(command) ? [] : [`  $ ${printable(command)}`]),
    ...(locations ?? []).map(({ path }) => `  ${printable(path)}`),
    ...(because === undefined ? [] : [`  (${printable(because)})`]),
    ...options.map(({ name }, index) => `  ${index + 1} ${printable(name)}`),
  ].join('\n');
}

function commandOf(rawInput: unknown): string | undefined {
  if (typeof rawInput !== 'object' || rawInput === null || !('command' in rawInput)) return undefined;
  const { command } = rawInput;
  return Array.isArray(command) ? command.join(' ') : typeof command === 'string' ? command : undefined;
}
