import type { AgentScript, Step } from './script.ts';

// Recorded traffic of claude-agent-acp 0.99.1 in version 2 when its model calls the Agent tool, with shorter ids.

/** The session of the sub-agent. */
export const SUBAGENT_ID = 'a27661b66b701b335';
const LAUNCH = 'call_42';
const CALL = 'call_43';
const NESTED = { claudeCode: { parentToolUseId: LAUNCH } };

const CLAUDE = {
  protocolVersion: 2,
  info: { name: '@agentclientprotocol/claude-agent-acp', title: 'Claude Agent', version: '0.99.1' },
  capabilities: {
    session: {
      prompt: { image: {}, embeddedContext: {} },
      mcp: { stdio: {}, http: {} },
      delete: {},
      fork: {},
      additionalDirectories: {},
    },
    _meta: { claudeCode: { promptQueueing: true } },
  },
  authMethods: [],
};

const inParent = (update: object): Step => ({ do: 'update', sessionId: 's1', update });
const inChild = (update: object): Step => ({ do: 'update', sessionId: SUBAGENT_ID, update });

/** The agent reports each state of a sub-agent twice: in the parent session and in its own. */
const childState = (state: object): Step[] => [
  inParent({ sessionUpdate: 'subagent_update', sessionId: SUBAGENT_ID, state }),
  inChild({ sessionUpdate: 'state_update', ...state }),
];

const parentState = (state: object): Step => inParent({ sessionUpdate: 'state_update', ...state });
const usage = (inputTokens: number, outputTokens: number): object => ({
  usage: {
    inputTokens,
    outputTokens,
    cachedReadTokens: 0,
    cachedWriteTokens: 0,
    totalTokens: inputTokens + outputTokens,
  },
});
const say = (session: (update: object) => Step, text: string, messageId: string): Step =>
  session({
    sessionUpdate: 'agent_message_chunk',
    content: { type: 'text', text },
    messageId,
    ...(session === inChild && { _meta: NESTED }),
  });

const message = { content: [{ type: 'text', text: 'Make it.' }] };
const delegation = { senderSessionId: 's1', recipientSessionId: SUBAGENT_ID, ...message };

const BEGIN: readonly Step[] = [
  inParent({
    sessionUpdate: 'user_message',
    messageId: '51a4d6ef',
    content: [{ type: 'text', text: '$prompt' }],
  }),
  { do: 'respond', result: { messageId: '51a4d6ef' } },
  parentState({ state: 'running' }),
  say(inParent, 'I delegate.', 'msg_1'),
];

const LAUNCHED: readonly Step[] = [
  inParent({
    sessionUpdate: 'subagent_update',
    sessionId: SUBAGENT_ID,
    title: 'Make a file',
    description: 'general-purpose',
    capabilities: { cancel: {} },
    state: { state: 'running' },
  }),
  inChild({ sessionUpdate: 'state_update', state: 'running' }),
  inParent({ sessionUpdate: 'session_message', messageId: LAUNCH, ...delegation, recipientMessageId: LAUNCH }),
  inChild({ sessionUpdate: 'session_message', messageId: LAUNCH, ...delegation, senderMessageId: LAUNCH }),
  // Its own settings, which are not those of its parent.
  inChild({
    sessionUpdate: 'config_option_update',
    configOptions: [{ configId: 'model', name: 'Model', type: 'select', currentValue: 'm', options: [] }],
  }),
];

const ASKING: readonly Step[] = [
  say(inChild, 'I am the child.', 'msg_2'),
  inChild({ sessionUpdate: 'terminal_update', terminalId: CALL, command: 'touch made-by-sub.txt' }),
  inChild({
    sessionUpdate: 'tool_call_update',
    toolCallId: CALL,
    name: 'Bash',
    rawInput: { command: 'touch made-by-sub.txt', description: 'Makes a file' },
    status: 'pending',
    title: 'touch made-by-sub.txt',
    kind: 'execute',
    content: [{ type: 'terminal', terminalId: CALL }],
    _meta: NESTED,
  }),
  ...childState({ state: 'requires_action' }),
];

const PERMISSION = {
  method: 'session/request_permission',
  params: {
    sessionId: SUBAGENT_ID,
    title: 'touch made-by-sub.txt',
    subject: {
      type: 'tool_call',
      toolCall: {
        toolCallId: CALL,
        name: 'Bash',
        rawInput: { command: 'touch made-by-sub.txt', description: 'Makes a file' },
        title: 'touch made-by-sub.txt',
        kind: 'execute',
        locations: [{ path: '/project/made-by-sub.txt' }],
        content: [{ type: 'terminal', terminalId: CALL }],
        _meta: NESTED,
      },
    },
    options: [
      { optionId: 'allow-once', name: 'Yes', kind: 'allow_once' },
      { optionId: 'reject', name: 'No', kind: 'reject_once' },
    ],
  },
};

const ANSWERED: readonly Step[] = [
  ...childState({ state: 'running' }),
  inChild({
    sessionUpdate: 'terminal_update',
    terminalId: CALL,
    output: { data: 'KEJhc2ggY29tcGxldGVkIHdpdGggbm8gb3V0cHV0KQ==' },
  }),
  inChild({ sessionUpdate: 'terminal_update', terminalId: CALL, exitStatus: { exitCode: 0 } }),
  inChild({ sessionUpdate: 'tool_call_update', toolCallId: CALL, status: 'completed' }),
  say(inChild, 'The child made the file.', 'msg_3'),
  ...childState({ state: 'idle', stopReason: 'end_turn' }),
];

const IDLE: Step = parentState({ state: 'idle', stopReason: 'end_turn', ...usage(20, 11) });

const script = (steps: readonly Step[], more: AgentScript['on'] = {}): AgentScript => ({
  on: { initialize: [{ do: 'respond', result: CLAUDE }], 'session/prompt': steps, ...more },
});

/** The agent waits for the sub-agent and its report. */
const foreground: AgentScript = script([
  ...BEGIN,
  ...LAUNCHED,
  ...ASKING,
  parentState({ state: 'requires_action' }),
  { do: 'request', ...PERMISSION },
  parentState({ state: 'running' }),
  ...ANSWERED,
  inParent({
    sessionUpdate: 'session_message',
    messageId: `${LAUNCH}:reply`,
    senderSessionId: SUBAGENT_ID,
    recipientSessionId: 's1',
    content: [
      { type: 'text', text: '<tools-used-before-summary>Bash</tools-used-before-summary>\n' },
      { type: 'text', text: 'The child made the file.' },
    ],
  }),
  say(inParent, 'The sub-agent is done.', 'msg_4'),
  IDLE,
]);

/** The session is idle while the sub-agent asks; after its end, the agent resumes work. */
const background: AgentScript = script([
  ...BEGIN,
  ...LAUNCHED,
  ...ASKING,
  say(inParent, 'It runs in the background.', 'msg_4'),
  IDLE,
  {
    do: 'ask',
    ...PERMISSION,
    afterwards: [
      ...ANSWERED,
      parentState({ state: 'running' }),
      say(inParent, 'The sub-agent is done.', 'msg_5'),
      parentState({ state: 'idle', stopReason: 'end_turn', ...usage(10, 6) }),
    ],
  },
]);

/** The agent does not resume work after the sub-agent. */
const unreported: AgentScript = script([
  ...BEGIN,
  ...LAUNCHED,
  ...ASKING,
  IDLE,
  { do: 'ask', ...PERMISSION, afterwards: ANSWERED },
]);

/** A cancel of the session has no effect on its background sub-agent, which needs a cancel of its own. */
const endless: AgentScript = script([...BEGIN, ...LAUNCHED, ...ASKING, IDLE, { do: 'ask', ...PERMISSION }], {
  'session/cancel s1': [],
  [`session/cancel ${SUBAGENT_ID}`]: [
    ...childState({ state: 'idle', stopReason: 'cancelled' }),
    // The agent resumes work after a cancelled sub-agent too.
    parentState({ state: 'running' }),
  ],
});

/** The agent process dies while a sub-agent works in the background. */
const dying: AgentScript = script([...BEGIN, ...LAUNCHED, IDLE, { do: 'exit', code: 1 }]);

/** The replay of a conversation with a background sub-agent. */
const replayed: AgentScript = script([...BEGIN, IDLE], {
  'session/resume': [
    inParent({ sessionUpdate: 'user_message', messageId: 'b02dd370', content: [] }),
    inParent({
      sessionUpdate: 'user_message_chunk',
      content: { type: 'text', text: 'Make it.' },
      messageId: 'b02dd370',
    }),
    inParent({ sessionUpdate: 'agent_message', messageId: 'msg_1', content: [] }),
    say(inParent, 'I delegate.', 'msg_1'),
    ...LAUNCHED.filter((_, index) => index !== 1),
    inChild({ sessionUpdate: 'agent_message', messageId: 'msg_2', content: [] }),
    ...ASKING.slice(0, 3),
    inChild({ sessionUpdate: 'tool_call_update', toolCallId: CALL, status: 'completed' }),
    say(inChild, 'The child made the file.', 'msg_3'),
    say(inParent, 'The sub-agent is done.', 'msg_4'),
    inParent({
      sessionUpdate: 'subagent_update',
      sessionId: SUBAGENT_ID,
      state: { state: 'idle', stopReason: 'end_turn' },
    }),
    inChild({ sessionUpdate: 'state_update', state: 'idle', stopReason: 'end_turn' }),
    parentState({ state: 'idle' }),
    { do: 'respond', result: {} },
    ...childState({ state: 'idle', stopReason: 'end_turn' }),
  ],
});

type Name = 'foreground' | 'background' | 'unreported' | 'endless' | 'dying' | 'replayed';

export const SUBAGENT_SCRIPTS: Readonly<Record<Name, AgentScript>> = {
  foreground,
  background,
  unreported,
  endless,
  dying,
  replayed,
};
