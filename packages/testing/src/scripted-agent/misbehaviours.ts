import { type AgentScript, END_TURN, type Step, sayAndEnd } from './script.ts';

const chunk = (text: string): object => ({ sessionUpdate: 'agent_message_chunk', content: { type: 'text', text } });
const userChunk = (text: string): object => ({ sessionUpdate: 'user_message_chunk', content: { type: 'text', text } });

const history: readonly Step[] = [
  { do: 'update', update: userChunk('first question') },
  { do: 'update', update: chunk('first ') },
  { do: 'update', update: chunk('answer') },
  {
    do: 'update',
    update: { sessionUpdate: 'tool_call', toolCallId: 't1', title: 'Read', kind: 'read', status: 'completed' },
  },
  { do: 'update', update: chunk('second answer') },
];

/** What is wrong with an agent. */
export type Misbehaviour =
  | 'neverAnswers'
  | 'neverOpensSession'
  | 'neverAnswersPrompt'
  | 'diesAtStart'
  | 'diesMidTurn'
  | 'isKilledMidTurn'
  | 'closesOutputMidTurn'
  | 'freezesMidTurn'
  | 'noiseOnStdout'
  | 'wrongVersion'
  | 'updatesAfterResponse'
  | 'updatesInChunkOfResponse'
  | 'foreignSessionIds'
  | 'unknownVariants'
  | 'flood'
  | 'earlyUpdates'
  | 'loadReplays'
  | 'loadAnswersNull'
  | 'loadDoesNotReplay'
  | 'loadReplaysTooLate'
  | 'loadFails'
  | 'resumeReplays'
  | 'ignoresCancel'
  | 'failsOnCancel'
  | 'asksUnknownThings'
  | 'usesFilesUnasked'
  | 'hugeLine'
  | 'asksThenIsCancelled'
  | 'invalidAnswers'
  | 'leavesChildren';

/** Agents as users have met them, by what is wrong with them. Each is a script; mix them as needed. */
export const MISBEHAVIOURS: Readonly<Record<Misbehaviour, AgentScript>> = {
  /** A command that is no agent at all: it reads and says nothing. */
  neverAnswers: { on: { initialize: [] } },
  neverOpensSession: { on: { 'session/new': [] } },
  neverAnswersPrompt: { on: { 'session/prompt': [{ do: 'say', text: 'working' }] } },
  diesAtStart: {
    onStart: [
      { do: 'stderr', text: 'fatal: no configuration found\n' },
      { do: 'exit', code: 3 },
    ],
  },
  diesMidTurn: {
    on: {
      'session/prompt': [
        { do: 'say', text: 'half a sen' },
        { do: 'stderr', text: 'panic: out of memory\n' },
        { do: 'exit', code: 7 },
      ],
    },
  },
  isKilledMidTurn: {
    on: {
      'session/prompt': [
        { do: 'say', text: 'half' },
        { do: 'killSelf', signal: 'SIGKILL' },
      ],
    },
  },
  closesOutputMidTurn: { on: { 'session/prompt': [{ do: 'say', text: 'half' }, { do: 'closeOutput' }] } },
  freezesMidTurn: { on: { 'session/prompt': [{ do: 'say', text: 'half' }, { do: 'wait', ms: 20 }, { do: 'freeze' }] } },
  noiseOnStdout: {
    onStart: [{ do: 'raw', text: 'Loading plugins...\n\n[warn] something { odd\n' }],
    on: {
      'session/prompt': [
        { do: 'raw', text: 'debug: got a prompt\n' },
        { do: 'say', text: 'fine' },
        { do: 'raw', text: '\u001b[32mdone\u001b[0m\n' },
        END_TURN,
      ],
    },
  },
  wrongVersion: { protocolVersion: 7 },
  updatesAfterResponse: {
    on: {
      'session/prompt': [{ do: 'say', text: 'early' }, END_TURN, { do: 'wait', ms: 20 }, { do: 'say', text: ' late' }],
    },
  },
  updatesInChunkOfResponse: {
    on: {
      'session/prompt': [
        {
          do: 'inOneWrite',
          steps: [{ do: 'repeat', times: 100, steps: [{ do: 'say', text: '$index,' }] }, END_TURN],
        },
      ],
    },
  },
  foreignSessionIds: {
    on: {
      'session/prompt': [
        { do: 'update', sessionId: 'someone-else', update: chunk('secret of another session') },
        { do: 'say', text: 'mine' },
        { do: 'update', sessionId: 's99', update: chunk('not mine either') },
        END_TURN,
      ],
    },
  },
  unknownVariants: {
    on: {
      'session/prompt': [
        { do: 'update', update: { sessionUpdate: 'hologram', beam: { strength: 9 } } },
        { do: 'update', update: { sessionUpdate: 'agent_message_chunk', content: { type: 'smell', data: 'rose' } } },
        { do: 'update', update: 17 },
        { do: 'notify', method: '_vendor/status', params: { ok: true } },
        { do: 'notify', method: '$/ping', params: {} },
        ...sayAndEnd('still here'),
      ],
    },
  },
  flood: {
    on: { 'session/prompt': [{ do: 'repeat', times: 20_000, steps: [{ do: 'say', text: 'x' }] }, END_TURN] },
  },
  earlyUpdates: {
    on: {
      'session/new': [
        {
          do: 'inOneWrite',
          steps: [
            {
              do: 'update',
              update: {
                sessionUpdate: 'available_commands_update',
                availableCommands: [{ name: 'plan', description: 'Make a plan' }],
              },
            },
            { do: 'update', sessionId: 'not-ours', update: chunk('lost') },
            { do: 'respond', result: { sessionId: '$sessionId' } },
            { do: 'update', update: { sessionUpdate: 'session_info_update', title: 'Early title' } },
          ],
        },
      ],
    },
  },
  loadReplays: {
    capabilities: { loadSession: true },
    on: { 'session/load': [...history, { do: 'respond', result: {} }] },
  },
  loadAnswersNull: {
    capabilities: { loadSession: true },
    on: { 'session/load': [...history, { do: 'respond', result: null }] },
  },
  loadDoesNotReplay: { capabilities: { loadSession: true }, on: { 'session/load': [{ do: 'respond', result: {} }] } },
  loadReplaysTooLate: {
    capabilities: { loadSession: true },
    on: { 'session/load': [{ do: 'respond', result: {} }, ...history] },
  },
  loadFails: {
    capabilities: { loadSession: true },
    on: { 'session/load': [{ do: 'fail', code: -32603, message: 'No previous sessions found' }] },
  },
  resumeReplays: {
    capabilities: { sessionCapabilities: { resume: {} } },
    on: { 'session/resume': [...history, { do: 'respond', result: {} }] },
  },
  ignoresCancel: {
    on: { 'session/prompt': [{ do: 'say', text: 'I will not stop' }], 'session/cancel': [{ do: 'say', text: '!' }] },
  },
  failsOnCancel: {
    on: {
      'session/prompt': [
        { do: 'say', text: 'on it' },
        { do: 'waitFor', method: 'session/cancel' },
        { do: 'fail', code: -32603, message: 'aborted' },
      ],
    },
  },
  asksUnknownThings: {
    on: {
      'session/prompt': [
        { do: 'request', method: 'craft/drainMidTurnQueue', params: {}, echo: true },
        { do: 'request', method: '_vendor/question', params: { a: 1 }, echo: true },
        END_TURN,
      ],
    },
  },
  usesFilesUnasked: {
    on: {
      'session/prompt': [
        {
          do: 'request',
          method: 'fs/write_text_file',
          params: { sessionId: '$sessionId', path: '/tmp/x', content: 'x' },
          echo: true,
        },
        { do: 'request', method: 'terminal/create', params: { sessionId: '$sessionId', command: 'true' }, echo: true },
        END_TURN,
      ],
    },
  },
  hugeLine: {
    on: {
      'session/prompt': [
        {
          do: 'update',
          update: {
            sessionUpdate: 'available_commands_update',
            availableCommands: [],
            _meta: { details: '$fill:600000' },
          },
        },
        ...sayAndEnd('big'),
      ],
    },
  },
  asksThenIsCancelled: {
    on: {
      'session/prompt': [
        {
          do: 'request',
          method: 'session/request_permission',
          params: {
            sessionId: '$sessionId',
            toolCall: { toolCallId: 't1', title: 'Delete everything', kind: 'delete' },
            options: [
              { optionId: 'yes', name: 'Yes', kind: 'allow_once' },
              { optionId: 'no', name: 'No', kind: 'reject_once' },
            ],
          },
          echo: true,
        },
        { do: 'respond', result: { stopReason: 'cancelled' } },
      ],
    },
  },
  invalidAnswers: { on: { 'session/new': [{ do: 'respond', result: { sessionId: 42 } }] } },
  leavesChildren: {
    ignoresEnd: true,
    onStart: [{ do: 'ignoreSignals' }],
    on: { 'session/prompt': [{ do: 'tell', what: 'pid' }, { do: 'spawnChild' }, END_TURN] },
  },
};
