import type { PageQuestion, PermissionQuestion, Question } from '@parley/client';
import { cleanLine, cleanText, visibleText } from '@parley/terminal';

/** What the agent wants, in the words under which a question is put everywhere; a message may have several lines. */
export function wordQuestion(question: Question): string {
  return question.type === 'permission' ? titleOf(question) : cleanText(question.message);
}

/** What a permission is asked for, in one line. */
export function titleOf({ title, toolCall }: PermissionQuestion): string {
  return cleanLine(visibleText(title ?? toolCall.title ?? toolCall.name ?? toolCall.kind ?? 'a tool call'));
}

/** The address that the agent asks a person to visit: all of it, in one line without gaps. */
export function addressOf({ url }: PageQuestion): string {
  return cleanLine(url).replaceAll(/\s/g, '');
}

/** What a person may do about a page that the agent asks them to visit. */
export const VISIT_CHOICES = [
  { does: 'open', label: 'Open it in the browser' },
  { does: 'accept', label: 'I have opened it myself' },
  { does: 'decline', label: 'Decline' },
] as const;
