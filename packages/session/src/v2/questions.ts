import type {
  CreateElicitationRequest,
  CreateElicitationResponse,
  RequestPermissionRequest,
  RequestPermissionResponse,
  RequestPermissionSubject,
  ToolCallUpdate,
} from '@parley/protocol/v2';
import { otherFields } from '../extra.ts';
import type {
  CommandSubject,
  FormAnswer,
  FormQuestion,
  FormReply,
  PermissionAnswer,
  PermissionQuestion,
  QuestionedToolCall,
} from '../question.ts';
import { answerMeta, type NewFormQuestion, readAnswerMeta } from '../v1/questions.ts';
import { V2_TOOL_CALL_FIELDS } from './known-fields.ts';
import { toolCallFromV2 } from './read-update.ts';
import { toolCallToV2 } from './write-update.ts';

type Fields = Readonly<Record<string, unknown>>;

/** A permission in version 2 always has a title. */
const NO_TITLE = 'Permission required';

export function permissionToV2(
  sessionId: string,
  question: Pick<PermissionQuestion, 'title' | 'description' | 'subject' | 'toolCall' | 'options' | 'meta'>,
): RequestPermissionRequest {
  const { title, description, toolCall, options, meta } = question;
  const subject = subjectToV2(question);
  return {
    sessionId,
    title: title ?? toolCall.title ?? NO_TITLE,
    ...(description !== undefined && { description }),
    ...(subject && { subject }),
    options: [...options],
    ...(meta && { _meta: meta }),
  };
}

function subjectToV2({
  subject,
  toolCall,
}: Pick<PermissionQuestion, 'subject' | 'toolCall'>): RequestPermissionSubject | undefined {
  if (subject === undefined) return { type: 'tool_call', toolCall: toolCallToV2(toolCall) };
  if (subject === null) return undefined;
  return subject.type === 'unknown' ? (subject.raw as unknown as RequestPermissionSubject) : subject;
}

type NewPermission = Omit<PermissionQuestion, 'questionId'> & { readonly sessionId: string };

/**
 * What a version 2 agent asks to be permitted; who is asked gives it an id. Whatever it is about, the question has a tool call, so
 * that rules and views work on it: `callId` names one that the agent did not name.
 */
export function permissionFromV2(
  { sessionId, title, description, subject, options, _meta }: RequestPermissionRequest,
  callId: string = `permission-${crypto.randomUUID()}`,
): NewPermission {
  const about = readSubject(subject, title, callId);
  return {
    type: 'permission',
    sessionId,
    ...(title !== about.toolCall.title && { title }),
    ...(description != null && { description }),
    ...about,
    // A kind that nobody knows is kept; who answers by kind passes it over.
    options: options as NewPermission['options'],
    ...(_meta && { meta: _meta }),
  };
}

function readSubject(
  subject: RequestPermissionSubject | null | undefined,
  title: string,
  callId: string,
): Pick<PermissionQuestion, 'subject' | 'toolCall'> {
  if (!subject) return { subject: null, toolCall: { toolCallId: callId, title } };
  const { type, toolCall } = subject as typeof subject & { readonly toolCall?: ToolCallUpdate };
  if (type === 'tool_call' && toolCall) return { toolCall: questionedCall(toolCall) };
  if (type === 'command') return aboutCommand(subject as CommandFields, callId);
  const raw = subject as unknown as Fields;
  return { subject: { type: 'unknown', raw }, toolCall: { toolCallId: callId, title, rawInput: raw } };
}

type CommandFields = Extract<RequestPermissionSubject, { readonly type: 'command' }>;

function aboutCommand(fields: CommandFields, callId: string): Pick<PermissionQuestion, 'subject' | 'toolCall'> {
  const { command, cwd, toolCallId, terminalId } = fields;
  const subject: CommandSubject = {
    type: 'command',
    command,
    cwd,
    ...(toolCallId != null && { toolCallId }),
    ...(terminalId != null && { terminalId }),
  };
  const toolCall: QuestionedToolCall = {
    toolCallId: toolCallId ?? callId,
    title: command,
    kind: 'execute',
    rawInput: { command, cwd },
    ...(terminalId != null && { content: [{ type: 'terminal', terminalId }] }),
  };
  return { subject, toolCall };
}

/** What an agent says beside the fields of the specification, a person should know of: it is in `meta` too. */
function questionedCall(update: ToolCallUpdate): QuestionedToolCall {
  const extra = otherFields(update, V2_TOOL_CALL_FIELDS);
  const meta = extra ? { ...extra, ...update._meta } : update._meta;
  const { type: _, ...call } = toolCallFromV2(update);
  return { ...call, ...(meta !== undefined && { meta }), ...(extra && { extra }) };
}

export function permissionAnswerToV2({ optionId, ...beside }: PermissionAnswer): RequestPermissionResponse {
  return {
    outcome: optionId === undefined ? { outcome: 'cancelled' } : { outcome: 'selected', optionId },
    ...answerMeta(beside),
  };
}

/** An outcome that version 2 does not define chooses nothing, and so permits nothing. */
export function permissionAnswerFromV2({ outcome, _meta }: RequestPermissionResponse): PermissionAnswer {
  return {
    type: 'permission',
    ...(outcome.outcome === 'selected' && { optionId: String(outcome.optionId) }),
    ...readAnswerMeta(_meta),
  };
}

/** Undefined for a mode that version 2 does not define. */
export function formFromV2(request: CreateElicitationRequest): NewFormQuestion | undefined {
  const { message, mode, sessionId, toolCallId, requestedSchema, url, elicitationId, _meta } =
    request as typeof request & Fields;
  const facts = {
    message,
    ...(typeof sessionId === 'string' && { sessionId }),
    ...(typeof toolCallId === 'string' && { toolCallId }),
    ...(_meta && { meta: _meta }),
  };
  if (mode === 'form') return { ...facts, type: 'form', form: requestedSchema as FormQuestion['form'] };
  if (mode !== 'url') return undefined;
  return { ...facts, type: 'page', url: String(url), elicitationId: String(elicitationId) };
}

/** `scope` says what a form or a page belongs to: a session, or a request of the client. */
export function formToV2(
  scope: { readonly sessionId: string; readonly toolCallId?: string } | { readonly requestId: string | number },
  question: NewFormQuestion,
): CreateElicitationRequest {
  const { message } = question;
  return question.type === 'form'
    ? {
        ...scope,
        message,
        mode: 'form',
        requestedSchema: { type: 'object', properties: {}, ...question.form } as FormSchema,
      }
    : { ...scope, message, mode: 'url', url: question.url, elicitationId: question.elicitationId };
}

type FormSchema = Extract<CreateElicitationRequest, { readonly mode: 'form' }>['requestedSchema'];

export function formAnswerFromV2(response: CreateElicitationResponse): FormAnswer {
  if (response.action === 'decline') return { type: 'form', action: 'decline' };
  if (response.action !== 'accept') return { type: 'form', action: 'cancel' };
  const { content } = response as { readonly content?: Record<string, unknown> | null };
  return { type: 'form', action: 'accept', content: content ?? {} };
}

export function formReplyToV2(reply: FormReply): CreateElicitationResponse {
  if (reply.action !== 'accept') return { action: reply.action } as CreateElicitationResponse;
  return { action: 'accept', ...(reply.content && { content: reply.content }) };
}
