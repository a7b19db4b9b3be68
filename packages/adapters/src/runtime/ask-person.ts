import type { Turn } from '@parley/agent';
import type { PermissionQuestion, ToolCallEvent } from '@parley/session';
import type { PermissionAnswers } from '../description/description.ts';
import { fillJson } from '../invocation/templates.ts';
import type { PermissionSignal } from '../reading/signal.ts';

type Option = PermissionQuestion['options'][number];

/** Every answer that a description may know, in the order in which people see them. */
const OPTIONS: readonly (Option & { readonly answer: keyof PermissionAnswers })[] = [
  { answer: 'allow', optionId: 'allow_once', kind: 'allow_once', name: 'Allow' },
  { answer: 'allowAlways', optionId: 'allow_always', kind: 'allow_always', name: 'Always allow' },
  { answer: 'reject', optionId: 'reject_once', kind: 'reject_once', name: 'Reject' },
  { answer: 'rejectAlways', optionId: 'reject_always', kind: 'reject_always', name: 'Always reject' },
];

/** Puts a question of the command to the person; resolves to the line that answers it. Whatever is not a clear yes is a no. */
export async function askPerson(
  turn: Turn,
  { answers, values }: PermissionSignal,
  call: ToolCallEvent,
): Promise<string> {
  const offered = OPTIONS.filter(({ answer }) => answers[answer] !== undefined);
  const { type: _, ...toolCall } = call;
  const options = offered.map(({ optionId, kind, name }) => ({ optionId, kind, name }));
  const { chosen, message } = await ask();
  const template = answers[chosen?.answer ?? 'reject'];
  const filled = fillJson(template, {
    ...values,
    input: values.input ?? {},
    message,
    optionId: chosen?.optionId ?? '',
  });
  return `${JSON.stringify(filled)}\n`;

  async function ask(): Promise<{ readonly chosen?: (typeof OPTIONS)[number] | undefined; readonly message: string }> {
    try {
      const answer = await turn.session.ask({ type: 'permission', toolCall, options }, { signal: turn.signal });
      const optionId = answer.type === 'permission' ? answer.optionId : undefined;
      const chosen = offered.find((option) => option.optionId === optionId);
      return { chosen, message: chosen ? 'The person rejected it.' : 'Nobody answered the question.' };
    } catch {
      return { message: 'The person could not be asked.' };
    }
  }
}
