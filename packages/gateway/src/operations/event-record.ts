import { ParleyError } from '@parley/jsonrpc';
import type { Question } from '@parley/session';
import { type RedactOptions, redact } from '@parley/session/traces';
import type { GatewayEvent } from '../events/gateway-event.ts';

/** Longer texts are cut: what is written down is for a look at a line. */
const MAX_TEXT_LENGTH = 500;

export type EventRecord = Readonly<Record<string, unknown>>;

/**
 * An event as it is written down: plain fields, without secrets, and without what people and agents said. This is the one place
 * where that is taken care of, for the log and for the audit.
 */
export function recordOf(event: GatewayEvent, options: RedactOptions = {}): EventRecord {
  return redact(fieldsOf(event), options) as EventRecord;
}

function fieldsOf(event: GatewayEvent): EventRecord {
  const { at, ...fields } = event;
  const record: Record<string, unknown> = { time: new Date(at).toISOString(), ...fields };
  if ('error' in fields && fields.error !== undefined) record.error = describeError(fields.error);
  if ('durationMs' in fields) record.durationMs = Math.round(fields.durationMs * 1000) / 1000;
  if ('question' in fields) record.question = describeQuestion(fields.question);
  if (event.kind === 'question_answered') {
    record.answer = describeAnswer(event.question, event.answer);
    record.by = cut(event.by);
  }
  if (event.kind === 'diagnostic') {
    const { kind: what, message, direction, method, id, sessionId, suppressed, error } = event.diagnostic;
    record.diagnostic = undefined;
    Object.assign(record, { what, message: cut(message), direction, method, id, sessionId, suppressed });
    if (error !== undefined) record.error = describeError(error);
  }
  return record;
}

/** What was asked, in a line: the title of a tool call, the message of a form, the site of a page. */
export function describeQuestion(question: Question): EventRecord {
  const { type, questionId } = question;
  if (question.type === 'permission') {
    const { toolCallId, title, kind } = question.toolCall;
    return { type, questionId, toolCallId, tool: kind, title: cut(title ?? question.title ?? '') };
  }
  if (question.type === 'form') return { type, questionId, title: cut(question.message) };
  return { type, questionId, site: URL.canParse(question.url) ? new URL(question.url).origin : undefined };
}

/** What was chosen. What was filled into a form is nobody's business here. */
function describeAnswer(
  question: Question,
  answer: Extract<GatewayEvent, { kind: 'question_answered' }>['answer'],
): EventRecord {
  if (answer.type === 'form') return { action: answer.action };
  const option =
    question.type === 'permission' && question.options.find(({ optionId }) => optionId === answer.optionId);
  if (!option) return { chosen: 'nothing' };
  return { chosen: cut(option.name), kind: option.kind };
}

/** An error's first line: what follows may be an agent's last words on stderr, or a stack. */
function describeError(error: unknown): EventRecord {
  const { message, name, code } = (typeof error === 'object' && error !== null ? error : { message: error }) as {
    readonly message?: unknown;
    readonly name?: unknown;
    readonly code?: unknown;
  };
  const isOurs = error instanceof ParleyError || typeof code === 'number' || typeof code === 'string';
  const text = cut(String(message ?? '').split('\n', 1)[0] ?? '');
  return { ...(typeof name === 'string' && { name }), ...(isOurs && { code }), message: text };
}

function cut(text: string): string {
  return text.length > MAX_TEXT_LENGTH ? `${text.slice(0, MAX_TEXT_LENGTH)}…` : text;
}
