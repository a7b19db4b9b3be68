import type { AgentNotifications, AgentRequests, ClientNotifications, ClientRequests } from '../src/v1/index.ts';

/** The areas of the method reference, in its order. */
export const AREAS = [
  'Connection and login',
  'Sessions',
  'Turns',
  'Modes and options',
  'Files',
  'Terminals',
  'Questions to the person',
  'Withdrawing a request',
  'Model providers',
  'MCP over ACP',
  'Proxies',
] as const;

interface MethodWords {
  readonly area: (typeof AREAS)[number];
  /** One sentence: what the method is for. */
  readonly purpose: string;
  /** What must be so beside the advertised capability. */
  readonly needs?: string;
}

/** What the reference says about each of `Methods`: words, and one example of its params and result. */
export type MethodExamples<Methods> = { readonly [Method in keyof Methods]: MethodWords & Methods[Method] };

const sessionId = 'sess_1';
const cwd = '/home/me/app';
const terminal = { sessionId, terminalId: 'term_1' };
const modes = {
  currentModeId: 'ask',
  availableModes: [
    { id: 'ask', name: 'Ask', description: 'Asks before every change' },
    { id: 'code', name: 'Code', description: 'Edits files without asking' },
  ],
};
const effort = {
  id: 'effort',
  name: 'Effort',
  category: 'thought_level',
  type: 'select' as const,
  options: [
    { value: 'low', name: 'Low' },
    { value: 'high', name: 'High' },
  ],
};

/** Every stable request of version 1. */
export const REQUEST_EXAMPLES: MethodExamples<AgentRequests & ClientRequests> = {
  initialize: {
    area: 'Connection and login',
    purpose: 'Opens the connection: both sides agree on a version and say what they can do.',
    needs: 'it is the first message',
    params: {
      protocolVersion: 1,
      clientCapabilities: { fs: { readTextFile: true, writeTextFile: true }, terminal: true },
      clientInfo: { name: 'my-editor', title: 'My Editor', version: '1.0.0' },
    },
    result: {
      protocolVersion: 1,
      agentCapabilities: {
        loadSession: true,
        promptCapabilities: { image: true, embeddedContext: true },
        mcpCapabilities: { http: true },
        sessionCapabilities: { list: {}, resume: {}, close: {} },
      },
      agentInfo: { name: 'my-agent', version: '2.1.0' },
      authMethods: [{ id: 'login', name: 'Log in with a browser' }],
    },
  },
  authenticate: {
    area: 'Connection and login',
    purpose: 'Logs in with one of the methods that the agent named, and is answered when that is done.',
    needs: 'the method is in `authMethods` of the answer to `initialize`',
    params: { methodId: 'login' },
    result: {},
  },
  logout: {
    area: 'Connection and login',
    purpose: 'Ends the login; what needs one fails with -32000 from then on.',
    params: {},
    result: {},
  },
  'session/new': {
    area: 'Sessions',
    purpose: 'Begins a conversation in a folder, with the MCP servers that the agent is to use.',
    params: {
      cwd,
      mcpServers: [{ name: 'files', command: '/usr/bin/mcp-files', args: ['--stdio'], env: [] }],
    },
    result: { sessionId, modes, configOptions: [{ ...effort, currentValue: 'low' }] },
  },
  'session/load': {
    area: 'Sessions',
    purpose: 'Opens an earlier conversation: the agent sends all of it as updates, and only then answers.',
    params: { sessionId, cwd, mcpServers: [] },
    result: { modes },
  },
  'session/resume': {
    area: 'Sessions',
    purpose: 'Opens an earlier conversation without sending it again, for a client that still has it.',
    params: { sessionId, cwd, mcpServers: [] },
    result: { modes },
  },
  'session/list': {
    area: 'Sessions',
    purpose: 'Lists the conversations that the agent keeps, a page at a time.',
    params: { cwd },
    result: {
      sessions: [{ sessionId, cwd, title: 'Repair the parser', updatedAt: '2026-01-31T12:00:00Z' }],
      nextCursor: 'page-2',
    },
  },
  'session/close': {
    area: 'Sessions',
    purpose: 'Cancels what runs in a session and frees what it holds; the conversation is kept.',
    params: { sessionId },
    result: {},
  },
  'session/delete': {
    area: 'Sessions',
    purpose: 'Deletes a conversation; deleting one that is gone succeeds too.',
    params: { sessionId },
    result: {},
  },
  'session/prompt': {
    area: 'Turns',
    purpose: 'Begins a turn with what the user said, and is answered when the turn has ended.',
    needs: 'images, audio and embedded resources must be in `promptCapabilities`',
    params: {
      sessionId,
      prompt: [
        { type: 'text', text: 'Why does this test fail?' },
        { type: 'resource_link', uri: 'file:///home/me/app/test/parser.test.ts', name: 'parser.test.ts' },
      ],
    },
    result: { stopReason: 'end_turn' },
  },
  'session/request_permission': {
    area: 'Turns',
    purpose: 'Asks whether a tool call may run; the client answers by its rules or asks the person.',
    params: {
      sessionId,
      toolCall: { toolCallId: 'call_1', title: 'Run npm test', kind: 'execute', status: 'pending' },
      options: [
        { optionId: 'once', name: 'Allow', kind: 'allow_once' },
        { optionId: 'no', name: 'Reject', kind: 'reject_once' },
      ],
    },
    result: { outcome: { outcome: 'selected', optionId: 'once' } },
  },
  'session/set_mode': {
    area: 'Modes and options',
    purpose: 'Puts a session into another mode, also while a turn runs.',
    needs: 'the mode is in `modes.availableModes` of the session',
    params: { sessionId, modeId: 'code' },
    result: {},
  },
  'session/set_config_option': {
    area: 'Modes and options',
    purpose: 'Changes an option of a session; the answer has all options, since one may change others.',
    needs: 'the option is in `configOptions` of the session',
    params: { sessionId, configId: 'effort', value: 'high' },
    result: { configOptions: [{ ...effort, currentValue: 'high' }] },
  },
  'fs/read_text_file': {
    area: 'Files',
    purpose: 'Reads a file as the editor has it, with changes that are not saved yet; lines count from 1.',
    params: { sessionId, path: '/home/me/app/src/parser.ts', line: 10, limit: 50 },
    result: { content: 'export function parse(text: string) {\n' },
  },
  'fs/write_text_file': {
    area: 'Files',
    purpose: 'Writes a whole file through the editor, and creates it where there is none.',
    params: { sessionId, path: '/home/me/app/src/parser.ts', content: 'export const answer = 42;\n' },
    result: {},
  },
  'terminal/create': {
    area: 'Terminals',
    purpose: 'Starts a command in a terminal of the client, and is answered at once.',
    params: {
      sessionId,
      command: 'npm',
      args: ['test'],
      env: [{ name: 'CI', value: '1' }],
      cwd,
      outputByteLimit: 65536,
    },
    result: { terminalId: 'term_1' },
  },
  'terminal/output': {
    area: 'Terminals',
    purpose: 'Tells what a command has printed so far, and how it ended if it has.',
    params: terminal,
    result: { output: '12 tests passed\n', truncated: false, exitStatus: { exitCode: 0 } },
  },
  'terminal/wait_for_exit': {
    area: 'Terminals',
    purpose: 'Is answered when the command has ended, with its exit code or signal.',
    params: terminal,
    result: { exitCode: 0 },
  },
  'terminal/kill': {
    area: 'Terminals',
    purpose: 'Ends the command; the terminal stays, so that its output can still be read.',
    params: terminal,
    result: {},
  },
  'terminal/release': {
    area: 'Terminals',
    purpose: 'Gives a terminal back, ending its command if it still runs; every terminal must be released.',
    params: terminal,
    result: {},
  },
  'elicitation/create': {
    area: 'Questions to the person',
    purpose: 'Asks the person to fill in a form, or to visit a page; never for a secret in a form.',
    params: {
      mode: 'form',
      sessionId,
      message: 'Which branch shall I work on?',
      requestedSchema: {
        type: 'object',
        properties: { branch: { type: 'string', title: 'Branch' } },
        required: ['branch'],
      },
    },
    result: { action: 'accept', content: { branch: 'main' } },
  },
};

/** Every stable notification of version 1. */
export const NOTIFICATION_EXAMPLES: MethodExamples<AgentNotifications & ClientNotifications> = {
  'session/update': {
    area: 'Turns',
    purpose: 'Tells the client one thing that happened in a session: text, a thought, a tool call, a plan, a setting.',
    needs: '`notice` and the compaction updates must be in `clientCapabilities.session`',
    params: {
      sessionId,
      update: { sessionUpdate: 'agent_message_chunk', content: { type: 'text', text: 'I will look.' } },
    },
  },
  'session/cancel': {
    area: 'Turns',
    purpose: 'Stops the turn that runs in a session; its prompt is then answered with `cancelled`.',
    params: { sessionId },
  },
  'elicitation/complete': {
    area: 'Questions to the person',
    purpose: 'Tells that what the person was sent to a page for is done.',
    params: { elicitationId: 'visit_1' },
  },
  '$/cancel_request': {
    area: 'Withdrawing a request',
    purpose: 'Withdraws a request of one’s own; it is still answered, with a result or with -32800.',
    params: { requestId: 7 },
  },
};
