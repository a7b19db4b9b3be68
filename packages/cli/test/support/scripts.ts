import { type AgentScript, type Step, sayAndEnd } from '@parley/testing/scripted-agent';

/** An agent that can resume, and tells which session it was prompted in. */
export const RESUMES: AgentScript = {
  capabilities: { sessionCapabilities: { resume: {}, fork: {}, delete: {} } },
  on: {
    'session/new': [{ do: 'respond', result: { sessionId: 'theirs-1' } }],
    'session/resume': [{ do: 'respond', result: {} }],
    'session/fork': [{ do: 'respond', result: { sessionId: 'theirs-2' } }],
    'session/delete': [{ do: 'respond', result: {} }],
    'session/prompt': sayAndEnd('$sessionId heard $prompt'),
  },
};

/** What an agent asks of a client before it runs a command. */
export interface PermissionAsked {
  /** Default: `npm test`. */
  readonly command?: string;
  /** Default: the command. */
  readonly title?: string;
  /** Beside Yes and No. */
  readonly options?: readonly { readonly optionId: string; readonly name: string; readonly kind: string }[];
  /** What No is called. */
  readonly no?: string;
}

/** The params of a permission question. */
export function permission({
  command = 'npm test',
  title = command,
  options = [],
  no = 'No',
}: PermissionAsked = {}): object {
  return {
    sessionId: '$sessionId',
    toolCall: { toolCallId: 't', title, kind: 'execute', rawInput: { command } },
    options: [
      { optionId: 'yes', name: 'Yes', kind: 'allow_once' },
      ...options,
      { optionId: 'no', name: no, kind: 'reject_once' },
    ],
  };
}

/** Asks for a permission and waits for the answer; with `echo`, says it as JSON text. */
export function asksPermission({ echo = false, ...asked }: PermissionAsked & { readonly echo?: boolean } = {}): Step {
  return { do: 'request', method: 'session/request_permission', params: permission(asked), echo };
}
