import {
  type CreateElicitationRequest,
  type CreateElicitationResponse,
  PERMISSION_REASON,
  type RequestPermissionRequest,
  type RequestPermissionResponse,
  type ToolCallUpdate,
} from '@parley/protocol';
import { otherFields } from '../extra.ts';
import { META } from '../meta.ts';
import type {
  CommandSubject,
  FormAnswer,
  FormQuestion,
  FormReply,
  PageQuestion,
  PermissionAnswer,
  PermissionQuestion,
  QuestionedToolCall,
} from '../question.ts';
import { eventFromV1 } from './read-update.ts';
import { toolCallToV1 } from './write-update.ts';

/** What an agent says beside the fields of the specification, a person should know of: it is in `meta` too. */
function toolCallFromV1(update: ToolCallUpdate): QuestionedToolCall {
  const event = eventFromV1({ ...update, sessionUpdate: 'tool_call_update' });
  if (event.type !== 'tool_call') throw new TypeError('An update was not read as a tool call.');
  const { type: _, ...toolCall } = event;
  const { extra, meta } = toolCall;
  return extra ? { ...toolCall, meta: { ...extra, ...meta } } : toolCall;
}

export function permissionToV1(
  sessionId: string,
  { toolCall, options, meta, extra, title, description, subject }: AskedPermission,
): RequestPermissionRequest {
  const told = {
    ...(title != null && { title }),
    ...(description != null && { description }),
    ...(subject?.type === 'command' && { subject }),
  };
  const own = Object.keys(told).length > 0 ? { ...meta, [META.question]: told } : meta;
  return {
    ...(extra && otherFields(extra, REQUEST_FIELDS)),
    sessionId,
    toolCall: toolCallToV1(toolCall),
    options: [...options],
    ...(own && { _meta: own }),
  };
}

type AskedPermission = Pick<
  PermissionQuestion,
  'toolCall' | 'options' | 'meta' | 'extra' | 'title' | 'description' | 'subject'
>;

const REQUEST_FIELDS: ReadonlySet<string> = new Set<keyof RequestPermissionRequest>([
  'sessionId',
  'toolCall',
  'options',
  '_meta',
]);

/** What a version 1 agent asks to be permitted; who is asked gives it an id. */
export function permissionFromV1(
  request: RequestPermissionRequest,
): Omit<PermissionQuestion, 'questionId'> & { readonly sessionId: string } {
  const { sessionId, toolCall, options, _meta } = request;
  const extra = otherFields(request, REQUEST_FIELDS);
  return {
    type: 'permission',
    sessionId,
    toolCall: toolCallFromV1(toolCall),
    options,
    ...readTold(_meta?.[META.question]),
    ...(_meta && { meta: _meta }),
    ...(extra && { extra }),
  };
}

/** What was told beside the tool call, as far as it can be read. */
function readTold(told: unknown): Pick<PermissionQuestion, 'title' | 'description' | 'subject'> {
  if (typeof told !== 'object' || told === null) return {};
  const { title, description, subject } = told as Readonly<Record<string, unknown>>;
  return {
    ...(typeof title === 'string' && { title }),
    ...(typeof description === 'string' && { description }),
    ...(isCommand(subject) && { subject }),
  };
}

function isCommand(subject: unknown): subject is CommandSubject {
  if (typeof subject !== 'object' || subject === null) return false;
  const { type, command, cwd } = subject as Readonly<Record<string, unknown>>;
  return type === 'command' && typeof command === 'string' && typeof cwd === 'string';
}

export function permissionAnswerToV1({ optionId, ...beside }: PermissionAnswer): RequestPermissionResponse {
  return {
    outcome: optionId === undefined ? { outcome: 'cancelled' } : { outcome: 'selected', optionId },
    ...answerMeta(beside),
  };
}

export function permissionAnswerFromV1({ outcome, _meta }: RequestPermissionResponse): PermissionAnswer {
  return {
    type: 'permission',
    ...(outcome.outcome === 'selected' && { optionId: outcome.optionId }),
    ...readAnswerMeta(_meta),
  };
}

type BesideAnswer = Pick<PermissionAnswer, 'because' | 'meta'>;

/** Why somebody said no has a name of its own in `_meta`. */
export function answerMeta({ because, meta }: BesideAnswer): { readonly _meta?: Record<string, unknown> } {
  if (because === undefined && !meta) return {};
  return { _meta: { ...meta, ...(because !== undefined && { [PERMISSION_REASON]: because }) } };
}

export function readAnswerMeta(_meta: Readonly<Record<string, unknown>> | null | undefined): BesideAnswer {
  if (!_meta) return {};
  const { [PERMISSION_REASON]: because, ...meta } = _meta;
  return {
    ...(typeof because === 'string' && { because }),
    ...(Object.keys(meta).length > 0 && { meta }),
  };
}

/** A form or a page before it has an id. */
export type NewFormQuestion = Omit<FormQuestion, 'questionId'> | Omit<PageQuestion, 'questionId'>;

/** Undefined for a mode that version 1 does not define. */
export function formFromV1(request: CreateElicitationRequest): NewFormQuestion | undefined {
  const { message, mode, sessionId, toolCallId, requestedSchema, url, elicitationId, _meta } =
    request as CreateElicitationRequest & Readonly<Record<string, unknown>>;
  const facts = {
    message,
    ...(typeof sessionId === 'string' && { sessionId }),
    ...(typeof toolCallId === 'string' && { toolCallId }),
    ...(_meta && { meta: _meta }),
  };
  if (mode === 'form') return { ...facts, type: 'form', form: (requestedSchema ?? {}) as FormQuestion['form'] };
  if (mode !== 'url') return undefined;
  return { ...facts, type: 'page', url: String(url), elicitationId: String(elicitationId) };
}

/** `scope` says what a form or a page belongs to: a session, or a request of the client. */
export function formToV1(
  scope: { readonly sessionId: string; readonly toolCallId?: string } | { readonly requestId: string | number | null },
  question: NewFormQuestion,
): CreateElicitationRequest {
  const facts = { ...scope, message: question.message, ...(question.meta && { _meta: question.meta }) };
  return question.type === 'form'
    ? { ...facts, mode: 'form', requestedSchema: question.form }
    : { ...facts, mode: 'url', url: question.url, elicitationId: question.elicitationId };
}

export function formAnswerFromV1(response: CreateElicitationResponse): FormAnswer {
  if (response.action === 'decline') return { type: 'form', action: 'decline' };
  if (response.action !== 'accept') return { type: 'form', action: 'cancel' };
  const { content } = response as { readonly content?: Record<string, unknown> | null };
  return { type: 'form', action: 'accept', content: content ?? {} };
}

export function formReplyToV1(reply: FormReply): CreateElicitationResponse {
  if (reply.action !== 'accept') return { action: reply.action };
  return { action: 'accept', ...(reply.content && { content: reply.content }) };
}
