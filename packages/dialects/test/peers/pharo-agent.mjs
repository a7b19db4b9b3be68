/** An agent as seed 004 describes it. */
import { assert, openPeer, promise } from '@parley/testing/dialect-peer';

const peer = openPeer();
const sessionId = 'sess_abc123';
const say = (update) =>
  process.stdout.write(`${JSON.stringify({ method: 'session/update', params: { sessionId, update } })}\n`);
const message = (value) => say({ type: 'message', role: 'agent', content: [{ type: 'text', text: value }] });
let cancelled = promise();

peer.on('initialize', ({ clientCapabilities }) => {
  assert.deepEqual(clientCapabilities.terminal, {
    create: true,
    output: true,
    waitForExit: true,
    kill: true,
    release: true,
  });
  return {
    protocolVersion: 1,
    agentInfo: { name: 'Pharo ACP Agent', version: '1.0.0' },
    agentCapabilities: {
      loadSession: true,
      promptCapabilities: { image: false, audio: false, embeddedContext: true },
      mcpCapabilities: { supportedTransports: ['stdio', 'http'] },
      sessionModes: [
        { modeId: 'code', title: 'Code Mode', description: 'Writes' },
        { modeId: 'ask', title: 'Ask Mode', description: 'Asks' },
      ],
    },
    authenticationMethods: [{ methodId: 'api_key', title: 'API Key', description: 'Authenticate with API key' }],
  };
});

peer.on('authenticate', ({ methodId, credentials }) => {
  if (methodId !== 'api_key') throw { code: -32002, message: 'Invalid method ID' };
  if (credentials?.apiKey !== 'secret_key_here') throw { code: -32001, message: 'Authentication failed' };
  return null;
});

peer.on('session/new', ({ mcpServers }) => {
  assert.deepEqual(without(mcpServers[0], '_meta'), {
    transport: 'stdio',
    command: '/bin/mcp',
    args: [],
    env: { A: 'b' },
  });
  return { sessionId };
});

peer.on('session/load', (params) => {
  assert.equal(params.cwd, undefined);
  if (params.sessionId !== sessionId) throw { code: -32005, message: 'Session not found' };
  say({ type: 'message', role: 'user', content: [{ type: 'text', text: 'Hi' }] });
  return null;
});

peer.on('session/set_mode', ({ modeId }) => {
  say({ type: 'current_mode_update', modeId });
  return null;
});

peer.on('session/set_config_option', ({ option, value }) => {
  assert.deepEqual([option, value], ['autoApproveTools', true]);
  return null;
});

peer.on('session/cancel', () => cancelled.keep());

peer.on('session/prompt', async ({ prompt }) => {
  if (prompt[0].text === 'wait') {
    await cancelled.kept;
    cancelled = promise();
    return { stopReason: 'cancelled' };
  }
  message("I'll fix the authentication bug.");
  const call = { toolCallId: 'tool_1', title: 'Write HelloWorld.class.st', kind: 'edit', status: 'pending' };
  say({ type: 'tool_call', ...call, location: { path: '/w/a.txt', line: 10 }, content: [] });
  const answer = await peer.request('session/request_permission', {
    sessionId,
    title: 'Delete test files?',
    description: 'Remove 5 temporary test files',
    options: [
      { optionId: 'allow', kind: 'allow_once', label: 'Delete files' },
      { optionId: 'reject', kind: 'reject_once', label: 'Keep files' },
    ],
  });
  assert.deepEqual(answer, { selectedOptionId: 'allow' });

  const { content } = await peer.request('fs/read_text_file', {
    sessionId,
    path: '/w/a.txt',
    startLine: 1,
    lineLimit: 50,
  });
  assert.equal(await peer.request('fs/write_text_file', { sessionId, path: '/w/a.txt', content: `${content}!` }), null);
  await useTerminals();

  const diff = { type: 'diff', path: '/w/a.txt', oldText: '', newText: 'x', mimeType: 'text/plain' };
  const items = [
    { type: 'text', text: 'File written' },
    diff,
    { type: 'terminal', terminalId: 'term-1', command: 'make', exitCode: 0 },
  ];
  say({ type: 'tool_call_update', toolCallId: 'tool_1', status: 'completed', content: items });
  return { stopReason: 'end_turn' };
});

async function useTerminals() {
  const create = (command) =>
    peer.request('terminal/create', { sessionId, command, args: [], cwd: '/w', env: { NODE_ENV: 'test' } });
  const { terminalId } = await create('make');
  const running = await peer.request('terminal/output', { sessionId, terminalId });
  assert.deepEqual(running, { output: 'half ', exitCode: null });
  const exited = await peer.request('terminal/wait_for_exit', { sessionId, terminalId });
  assert.deepEqual(exited, { output: 'half and half', exitCode: 0 });
  assert.equal(await peer.request('terminal/release', { sessionId, terminalId }), null);
  const slow = await create('sleep');
  const late = await peer.request('terminal/wait_for_exit', { sessionId, terminalId: slow.terminalId, timeout: 20 });
  assert.deepEqual(late, { output: 'half ', exitCode: null });
  assert.equal(await peer.request('terminal/kill', { sessionId, terminalId: slow.terminalId }), null);
}

function without(object, name) {
  return Object.fromEntries(Object.entries(object).filter(([key]) => key !== name));
}
