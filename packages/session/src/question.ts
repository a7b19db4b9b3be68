import type { ElicitationSchema, PermissionOption } from '@parley/protocol';
import type { ToolCallEvent } from './event.ts';
import type { Extra } from './extra.ts';
import type { UnknownPart } from './parts.ts';

/**
 * What an agent asks the person. Plain data, so that a log can keep it, any view can show it and any client may answer it: every
 * viewer of a session sees it, and the first answer counts.
 */
export type Question = PermissionQuestion | FormQuestion | PageQuestion;

interface Asked {
  readonly questionId: string;
  /** The session that it belongs to, where that is not plain from its place. A question may belong to a request of a client. */
  readonly sessionId?: string;
  /** When it is withdrawn if nobody has answered, in milliseconds since 1970. */
  readonly expiresAtMs?: number;
  /** `_meta` of the request that carries it. */
  readonly meta?: Readonly<Record<string, unknown>> | null;
  /** What the request says beside the fields of the specification. */
  readonly extra?: Extra;
}

/** May this tool call run? */
export interface PermissionQuestion extends Asked {
  readonly type: 'permission';
  /** What the agent asks in its own words, where it has some beside the title of the call. */
  readonly title?: string;
  /** Why it asks. */
  readonly description?: string;
  /**
   * What it is about, where that is not a tool call: then `toolCall` tells of it as if it were one. Null: the agent names nothing
   * but the title.
   */
  readonly subject?: CommandSubject | UnknownPart | null;
  /** In a client, all that is known of the call: the fields of the request over those of the transcript. */
  readonly toolCall: QuestionedToolCall;
  /** The agent's own options, in its order. Show them all; go by `kind`, never by id. */
  readonly options: readonly PermissionOption[];
  /** Why the policy of the client did not decide by itself, in a sentence. */
  readonly because?: string;
}

/** A command that is to run. */
export interface CommandSubject {
  readonly type: 'command';
  readonly command: string;
  readonly cwd: string;
  /** The call that it belongs to, and the terminal that shows it, where there are such. */
  readonly toolCallId?: string;
  readonly terminalId?: string;
}

export type QuestionedToolCall = Omit<ToolCallEvent, 'type'>;

/** A form to fill in. */
export interface FormQuestion extends Asked {
  readonly type: 'form';
  readonly message: string;
  readonly form: ElicitationSchema;
  readonly toolCallId?: string;
}

/** A page to visit. */
export interface PageQuestion extends Asked {
  readonly type: 'page';
  readonly message: string;
  readonly url: string;
  readonly elicitationId: string;
  readonly toolCallId?: string;
}

export type Answer = PermissionAnswer | FormAnswer;

/** Without an option nobody chose. */
export interface PermissionAnswer {
  readonly type: 'permission';
  readonly optionId?: string;
  /** Why not, where it was not the person who said no. */
  readonly because?: string;
  /** `_meta` of the answer. */
  readonly meta?: Readonly<Record<string, unknown>>;
}

/** The answer to a form or a page. */
export type FormAnswer =
  | { readonly type: 'form'; readonly action: 'accept'; readonly content: Readonly<Record<string, unknown>> }
  | { readonly type: 'form'; readonly action: 'decline' | 'cancel' };

/** As a handler gives it: a page needs no content. */
export type FormReply =
  | { readonly action: 'accept'; readonly content?: Readonly<Record<string, unknown>> }
  | { readonly action: 'decline' | 'cancel' };
