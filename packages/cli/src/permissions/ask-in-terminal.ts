import { createInterface } from 'node:readline/promises';
import type { PermissionAnswer, PermissionHandler, PermissionQuestion } from '@parley/client';
import type { CliContext } from '../context.ts';
import { printable } from '../output/printable.ts';

/** Puts a question to the person at the terminal: the agent's own options, numbered, in its order. */
export function askInTerminal({ stdin, stderr }: CliContext): PermissionHandler {
  // One question at a time: two at once would take each other's answers.
  let last: Promise<unknown> = Promise.resolve();
  return (question, { signal }) => {
    const answer = last.then(() => (signal.aborted ? 'cancel' : ask(question, signal)));
    last = answer.catch(() => {});
    return answer;
  };

  async function ask(question: PermissionQuestion, signal: AbortSignal): Promise<PermissionAnswer> {
    const terminal = createInterface({ input: stdin, output: stderr });
    // While a line is read, Ctrl-C is a key and no signal.
    terminal.on('SIGINT', () => process.kill(process.pid, 'SIGINT'));
    try {
      stderr.write(`\n${describe(question)}`);
      for (;;) {
        const line = (await terminal.question('choose: ', { signal })).trim();
        const option = question.options[Number(line) - 1];
        if (option) return { optionId: option.optionId };
        if (/^(n|no)$/i.test(line)) return 'reject';
        if (/^(y|yes)$/i.test(line)) return 'allow';
        stderr.write(`Type a number from 1 to ${question.options.length}.\n`);
      }
    } catch {
      // The input ended or the turn was cancelled: nobody has allowed anything.
      return 'reject';
    } finally {
      terminal.close();
    }
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
    '',
  ].join('\n');
}

function commandOf(rawInput: unknown): string | undefined {
  if (typeof rawInput !== 'object' || rawInput === null || !('command' in rawInput)) return undefined;
  const { command } = rawInput;
  return Array.isArray(command) ? command.join(' ') : typeof command === 'string' ? command : undefined;
}
