import {
  type CreateElicitationRequest,
  type CreateElicitationResponse,
  PERMISSION_REASON,
  type RequestPermissionRequest,
  type RequestPermissionResponse,
  type ToolCallUpdate,
} from '@parley/protocol';
import type {
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

/** Fields of a tool call that the specification has. Agents put others beside them that a person should know of. */
const FIELDS: ReadonlySet<string> = new Set<keyof ToolCallUpdate>([
  'toolCallId',
  'title',
  'name',
  'kind',
  'status',
  'content',
  'locations',
  'rawInput',
  'rawOutput',
  '_meta',
]);

function toolCallFromV1(update: ToolCallUpdate): QuestionedToolCall {
  const event = eventFromV1({ ...update, sessionUpdate: 'tool_call_update' });
  if (event.type !== 'tool_call') throw new TypeError('An update was not read as a tool call.');
  const { type: _, ...toolCall } = event;
  const others = Object.entries(update).filter(([name]) => !FIELDS.has(name));
  return others.length === 0 ? toolCall : { ...toolCall, meta: { ...Object.fromEntries(others), ...toolCall.meta } };
}

export function permissionToV1(
  sessionId: string,
  { toolCall, options, meta }: Pick<PermissionQuestion, 'toolCall' | 'options' | 'meta'>,
): RequestPermissionRequest {
  return { sessionId, toolCall: toolCallToV1(toolCall), options: [...options], ...(meta && { _meta: meta }) };
}

/** What a version 1 agent asks to be permitted; who is asked gives it an id. */
export function permissionFromV1({
  sessionId,
  toolCall,
  options,
  _meta,
}: RequestPermissionRequest): Omit<PermissionQuestion, 'questionId'> & { readonly sessionId: string } {
  return {
    type: 'permission',
    sessionId,
    toolCall: toolCallFromV1(toolCall),
    options,
    ...(_meta && { meta: _meta }),
  };
}

export function permissionAnswerToV1({ optionId, because }: PermissionAnswer): RequestPermissionResponse {
  return {
    outcome: optionId === undefined ? { outcome: 'cancelled' } : { outcome: 'selected', optionId },
    ...(because !== undefined && { _meta: { [PERMISSION_REASON]: because } }),
  };
}

export function permissionAnswerFromV1({ outcome, _meta }: RequestPermissionResponse): PermissionAnswer {
  const because = _meta?.[PERMISSION_REASON];
  return {
    type: 'permission',
    ...(outcome.outcome === 'selected' && { optionId: outcome.optionId }),
    ...(typeof because === 'string' && { because }),
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
  const { message } = question;
  return question.type === 'form'
    ? { ...scope, message, mode: 'form', requestedSchema: question.form }
    : { ...scope, message, mode: 'url', url: question.url, elicitationId: question.elicitationId };
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
