import type { CreateElicitationRequest, ElicitationSchema, PermissionOption, ToolCallUpdate } from '@parley/protocol';
import type { ToolCallEvent } from './event.ts';

/** Something the agent asks the person. Plain data, so that any view can show it and any client may answer it. */
export type Question = PermissionQuestion | ElicitationQuestion;

export interface PermissionQuestion {
  readonly type: 'permission';
  /** Ours; unique on this connection. */
  readonly questionId: string;
  readonly sessionId: string;
  /** What is known of the tool call: the request's own fields over what the transcript has. */
  readonly toolCall: ToolCallUpdate;
  /** The agent's own options, in its order. Show them all; go by `kind`, never by id. */
  readonly options: readonly PermissionOption[];
  /** Why the policy did not decide by itself, in a sentence. */
  readonly because?: string;
}

export interface ElicitationQuestion {
  readonly type: 'elicitation';
  readonly questionId: string;
  /** Absent when the question belongs to a request of ours rather than to a session. */
  readonly sessionId?: string;
  readonly mode: 'form' | 'url';
  readonly request: CreateElicitationRequest;
}

/** What a session asks, as its log has it: every viewer sees it, and the first answer counts. */
export type SessionQuestion = AskedPermission | AskedForm | AskedPage;

interface Asked {
  readonly questionId: string;
  /** When it is withdrawn if nobody has answered, in milliseconds since 1970. */
  readonly expiresAtMs?: number;
}

/** May this tool call run? */
export interface AskedPermission extends Asked {
  readonly type: 'permission';
  readonly toolCall: Omit<ToolCallEvent, 'type'>;
  readonly options: readonly PermissionOption[];
  readonly meta?: Readonly<Record<string, unknown>>;
}

/** A form to fill in. */
export interface AskedForm extends Asked {
  readonly type: 'form';
  readonly message: string;
  readonly form: ElicitationSchema;
  readonly toolCallId?: string;
}

/** A page to visit. */
export interface AskedPage extends Asked {
  readonly type: 'page';
  readonly message: string;
  readonly url: string;
  readonly elicitationId: string;
  readonly toolCallId?: string;
}

export type SessionAnswer = PermissionAnswer | FormAnswer;

/** Without an option nobody chose. */
export interface PermissionAnswer {
  readonly type: 'permission';
  readonly optionId?: string;
  /** Why not, where it was not the person who said no. */
  readonly because?: string;
}

/** The answer to a form or a page. */
export type FormAnswer =
  | { readonly type: 'form'; readonly action: 'accept'; readonly content: Readonly<Record<string, unknown>> }
  | { readonly type: 'form'; readonly action: 'decline' | 'cancel' };
