import { type AgentScript, END_TURN } from '@parley/testing/scripted-agent';
import { describe, expect, it, vi } from 'vitest';
import { useParley } from '../support/parley.ts';
import { runInTerminal } from '../support/terminal.ts';

vi.setConfig({ testTimeout: 120_000 });
const parley = useParley();

const ESC = '\u001b';
/** Sequences that no command of ours writes, each with a name by which it is found again. */
const SEQUENCES = [
  `${ESC}]52;c;ZXZpbA==\u0007`,
  `${ESC}]52;c;ZXZpbA==${ESC}\\`,
  `${ESC}]0;evil title\u0007`,
  `${ESC}]8;;http://evil${ESC}\\link`,
  `${ESC}[?1047h`,
  `${ESC}[66;66H`,
  `${ESC}[8mhidden`,
  `${ESC}P1$r evil${ESC}\\`,
  `${ESC}_evil${ESC}\\`,
  `${ESC}c`,
  '\u009b66;67H',
  '\u009d52;c;ZXZpbA==\u009c',
  'turned \u202e evil',
];
const HOSTILE = `before ${SEQUENCES.join(' ')} ; touch PWN # after`;

const NAMED = { name: HOSTILE, title: HOSTILE, version: HOSTILE };
const BLOCK = { type: 'text', text: HOSTILE };
const MODE = { id: HOSTILE, name: HOSTILE, description: HOSTILE };
const OPTION = {
  type: 'select',
  id: HOSTILE,
  name: HOSTILE,
  description: HOSTILE,
  category: HOSTILE,
  currentValue: HOSTILE,
  options: [{ value: HOSTILE, name: HOSTILE, description: HOSTILE }],
};
const CALL = {
  toolCallId: HOSTILE,
  title: HOSTILE,
  rawInput: { command: HOSTILE, path: HOSTILE },
  rawOutput: { output: HOSTILE },
  locations: [{ path: `/${HOSTILE}` }],
  content: [
    { type: 'content', content: BLOCK },
    { type: 'diff', path: `/${HOSTILE}`, oldText: HOSTILE, newText: `${HOSTILE}!` },
  ],
};

/** An agent that puts them into everything it may say. */
const SAYS_EVERYTHING: AgentScript = {
  onStart: [
    { do: 'stderr', text: `${HOSTILE}\n` },
    { do: 'raw', text: `${HOSTILE}\n` },
  ],
  capabilities: { loadSession: true, promptCapabilities: { image: true } },
  on: {
    initialize: [
      {
        do: 'respond',
        result: { protocolVersion: 1, agentInfo: NAMED, agentCapabilities: { loadSession: true }, authMethods: [MODE] },
      },
    ],
    'session/new': [
      {
        do: 'respond',
        result: {
          sessionId: HOSTILE,
          modes: { currentModeId: HOSTILE, availableModes: [MODE] },
          configOptions: [OPTION],
        },
      },
    ],
    'session/prompt': [
      { do: 'update', update: { sessionUpdate: 'session_info_update', title: HOSTILE } },
      { do: 'update', update: { sessionUpdate: 'agent_thought_chunk', content: BLOCK } },
      {
        do: 'update',
        update: { sessionUpdate: 'plan', entries: [{ content: HOSTILE, priority: 'high', status: 'pending' }] },
      },
      { do: 'update', update: { sessionUpdate: 'tool_call', kind: 'execute', status: 'pending', ...CALL } },
      {
        do: 'request',
        method: 'session/request_permission',
        params: {
          sessionId: '$sessionId',
          toolCall: CALL,
          options: [{ optionId: HOSTILE, name: HOSTILE, kind: 'reject_once' }],
        },
      },
      { do: 'update', update: { sessionUpdate: 'tool_call_update', status: 'failed', ...CALL } },
      {
        do: 'update',
        update: {
          sessionUpdate: 'available_commands_update',
          availableCommands: [{ name: HOSTILE, description: HOSTILE, input: { hint: HOSTILE } }],
        },
      },
      { do: 'update', update: { sessionUpdate: HOSTILE, text: HOSTILE } },
      { do: 'notify', method: `_${HOSTILE}`, params: { text: HOSTILE } },
      { do: 'say', text: HOSTILE },
      END_TURN,
    ],
  },
};

/** One that fails in its own words. */
const FAILS: AgentScript = {
  ...SAYS_EVERYTHING,
  on: {
    ...SAYS_EVERYTHING.on,
    'session/prompt': [{ do: 'fail', code: -32603, message: HOSTILE, data: { details: HOSTILE } }],
  },
};

/** One that wants a login, by a method with a name to be pasted. */
const WANTS_LOGIN: AgentScript = {
  ...SAYS_EVERYTHING,
  on: { ...SAYS_EVERYTHING.on, 'session/new': [{ do: 'fail', code: -32000, message: HOSTILE }] },
};

/** What a terminal shows of a command; `keys` are typed once it has shown `when`. */
async function screenOf(args: readonly string[], typing?: { when: string; keys: string }): Promise<string> {
  let hasTyped = false;
  const { output } = await runInTerminal(parley, args, (shown) => {
    if (!typing || hasTyped || !shown.includes(typing.when)) return '';
    hasTyped = true;
    return typing.keys;
  });
  return output;
}

/** No sequence of the agent is left, and nothing that could begin one. */
function expectClean(screen: string): void {
  expect(screen.length).toBeGreaterThan(0);
  for (const sequence of SEQUENCES) expect(screen).not.toContain(sequence);
  expect(screen).not.toMatch(/[\u0080-\u009f\u202e]/u);
  expect(screen).not.toContain(`${ESC}]52`);
}

describe('what an agent says reaches a terminal as text', () => {
  it.each([
    ['exec', ['exec', '--deny-all']],
    ['exec --verbose', ['exec', '--deny-all', '--verbose']],
    ['exec --format quiet', ['exec', '--deny-all', '--format', 'quiet']],
    ['exec --format json', ['exec', '--deny-all', '--format', 'json']],
  ])('in %s', async (_name, words) => {
    expectClean(await screenOf([...words, '--agent', parley.agent(SAYS_EVERYTHING), 'Hi']));
    expectClean(await screenOf([...words, '--agent', parley.agent(FAILS), 'Hi']));
  });

  it('in the hint how to log in, which is one line of plain words', async () => {
    const screen = await screenOf(['exec', '--agent', parley.agent(WANTS_LOGIN), 'Hi']);
    expectClean(screen);
    expect(screen).toContain("--auth $'before ");
    expectClean(await screenOf(['doctor', ...parley.agentWords(WANTS_LOGIN)]));
  });

  it('in a chat, and in its last words', async () => {
    const agent = parley.agent(SAYS_EVERYTHING);
    expectClean(await screenOf(['--agent', agent], { when: 'Write what you want done', keys: '\u0004' }));
  });

  it('in what is saved of a session', async () => {
    await parley.run(['prompt', '--deny-all', '--agent', parley.agent(SAYS_EVERYTHING), 'Hi']);
    const saved = ['sessions', 'list', '--all', '--format', 'quiet'];
    const [id = ''] = (await parley.run(saved)).stdout.split('\n');
    expect(id).not.toBe('');
    expectClean(await screenOf(['sessions', 'list', '--all']));
    expectClean(await screenOf(['sessions', 'list', '--all', '--format', 'json']));
    for (const verb of ['show', 'history', 'export']) expectClean(await screenOf(['sessions', verb, id]));
    expectClean(await screenOf(['sessions', 'export', '--markdown', id]));
    expectClean(await screenOf(['status', '-s', id]));
  });

  it('in check, inspect and traces', async () => {
    const words = parley.agentWords(SAYS_EVERYTHING);
    expectClean(await screenOf(['check', '--only', 'INIT', '--', ...words]));
    await parley.run(['exec', '--deny-all', '--trace', 'evil.ndjson', '--agent', parley.agent(SAYS_EVERYTHING), 'Hi']);
    expectClean(await screenOf(['trace', 'show', 'evil.ndjson']));
    expectClean(await screenOf(['trace', 'show', '--full', 'evil.ndjson']));
    const initialize = '{"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":1}}\r';
    const tapped = await screenOf(['inspect', '--', ...words], { when: 'trace:', keys: `${initialize}\u0004\u0004` });
    expectClean(tapped.replaceAll(/^\{.*$/gm, ''));
  });
});
