import type { CreateElicitationRequest, PermissionOption, ToolCallUpdate } from '@parley/protocol';

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
