import type { SessionUpdate as StableUpdate } from '../src/v1/index.ts';
import type { SessionUpdate } from '../src/v1/unstable/index.ts';

/** One sentence on what each kind of update tells, and an example. The compiler knows all kinds. */
type UpdateExamples<Kinds extends SessionUpdate['sessionUpdate']> = {
  readonly [Kind in Kinds]: {
    readonly purpose: string;
    readonly update: Extract<SessionUpdate, { readonly sessionUpdate: Kind }>;
  };
};

type StableKind = StableUpdate['sessionUpdate'];

/** Every stable kind of `session/update`. */
export const UPDATE_EXAMPLES: UpdateExamples<StableKind> = {
  user_message_chunk: {
    purpose: 'A piece of what the user said, while a conversation is loaded.',
    update: { sessionUpdate: 'user_message_chunk', content: { type: 'text', text: 'Why does this test fail?' } },
  },
  agent_message_chunk: {
    purpose: 'A piece of the agent’s answer; pieces with one `messageId` are one message.',
    update: { sessionUpdate: 'agent_message_chunk', messageId: 'msg_1', content: { type: 'text', text: 'I see.' } },
  },
  agent_thought_chunk: {
    purpose: 'A piece of what the agent thinks.',
    update: { sessionUpdate: 'agent_thought_chunk', content: { type: 'text', text: 'The import is wrong.' } },
  },
  tool_call: {
    purpose: 'A tool call begins to be known.',
    update: {
      sessionUpdate: 'tool_call',
      toolCallId: 'call_1',
      title: 'Edit parser.ts',
      kind: 'edit',
      status: 'pending',
      locations: [{ path: '/home/me/app/src/parser.ts', line: 12 }],
      rawInput: { path: 'src/parser.ts' },
    },
  },
  tool_call_update: {
    purpose: 'A tool call has changed; what is left out stays as it was, and a list replaces the list.',
    update: {
      sessionUpdate: 'tool_call_update',
      toolCallId: 'call_1',
      status: 'completed',
      content: [{ type: 'diff', path: '/home/me/app/src/parser.ts', oldText: 'a\n', newText: 'b\n' }],
    },
  },
  plan: {
    purpose: 'The whole plan as it is now.',
    update: {
      sessionUpdate: 'plan',
      entries: [{ content: 'Repair the import', priority: 'high', status: 'in_progress' }],
    },
  },
  available_commands_update: {
    purpose: 'The commands that a prompt may begin with, such as `/review`.',
    update: {
      sessionUpdate: 'available_commands_update',
      availableCommands: [{ name: 'review', description: 'Review a change', input: { hint: 'branch' } }],
    },
  },
  current_mode_update: {
    purpose: 'The agent has changed its mode.',
    update: { sessionUpdate: 'current_mode_update', currentModeId: 'code' },
  },
  config_option_update: {
    purpose: 'The agent has changed options; all of them are told.',
    update: {
      sessionUpdate: 'config_option_update',
      configOptions: [
        {
          id: 'effort',
          name: 'Effort',
          type: 'select',
          currentValue: 'high',
          options: [{ value: 'high', name: 'High' }],
        },
      ],
    },
  },
  session_info_update: {
    purpose: 'The conversation has another title or date.',
    update: { sessionUpdate: 'session_info_update', title: 'Repair the parser' },
  },
  usage_update: {
    purpose: 'How much of the model’s context is used, and what the session has cost.',
    update: { sessionUpdate: 'usage_update', used: 53000, size: 200000, cost: { amount: 0.045, currency: 'USD' } },
  },
  notice: {
    purpose: 'Something that the person should know and that is no part of the answer.',
    update: { sessionUpdate: 'notice', severity: 'warning', title: 'The server is slow today' },
  },
  compaction_update: {
    purpose: 'The agent shortens what it remembers of the conversation.',
    update: { sessionUpdate: 'compaction_update', compactionId: 'comp_1', status: 'in_progress' },
  },
  compaction_summary_chunk: {
    purpose: 'A piece of the summary that takes the place of what was shortened.',
    update: {
      sessionUpdate: 'compaction_summary_chunk',
      compactionId: 'comp_1',
      content: { type: 'text', text: 'The user wants the parser repaired.' },
    },
  },
};

/** Every kind of `session/update` that is unstable. */
export const UNSTABLE_UPDATE_EXAMPLES: UpdateExamples<Exclude<SessionUpdate['sessionUpdate'], StableKind>> = {
  plan_update: {
    purpose: 'One of several plans as it is now: steps, a file or Markdown.',
    update: {
      sessionUpdate: 'plan_update',
      plan: { type: 'markdown', planId: 'plan_1', content: '1. Repair the import' },
    },
  },
  plan_removed: {
    purpose: 'A plan is given up.',
    update: { sessionUpdate: 'plan_removed', planId: 'plan_1' },
  },
  subagent_update: {
    purpose: 'A subagent with a session of its own has begun or changed.',
    update: { sessionUpdate: 'subagent_update', sessionId: 'sess_2', title: 'Search', state: { state: 'running' } },
  },
  session_message: {
    purpose: 'A message from one session to another.',
    update: {
      sessionUpdate: 'session_message',
      messageId: 'msg_2',
      senderSessionId: 'sess_1',
      recipientSessionId: 'sess_2',
      content: [{ type: 'text', text: 'Find the callers of parse.' }],
    },
  },
  session_message_chunk: {
    purpose: 'A piece of such a message.',
    update: { sessionUpdate: 'session_message_chunk', messageId: 'msg_2', content: { type: 'text', text: 'Find' } },
  },
};
