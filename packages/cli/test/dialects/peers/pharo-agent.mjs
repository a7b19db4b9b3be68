/** An agent as seed 004 describes it: it wants a key, and its updates are tagged `type`. */
import { assert, openPeer } from '@parley/testing/dialect-peer';

const peer = openPeer();
const sessionId = 'sess_abc123';
const say = (update) =>
  process.stdout.write(`${JSON.stringify({ method: 'session/update', params: { sessionId, update } })}\n`);
const message = (value) => say({ type: 'message', role: 'agent', content: [{ type: 'text', text: value }] });
let isAuthenticated = false;

peer.on('initialize', () => ({
  protocolVersion: 1,
  agentInfo: { name: 'Pharo ACP Agent', version: '1.0.0' },
  agentCapabilities: {
    loadSession: true,
    promptCapabilities: { image: false, audio: false, embeddedContext: true },
    mcpCapabilities: { supportedTransports: ['http'] },
    sessionModes: [
      { modeId: 'code', title: 'Code Mode', description: 'Writes' },
      { modeId: 'ask', title: 'Ask Mode', description: 'Asks' },
    ],
  },
  authenticationMethods: [{ methodId: 'api_key', title: 'API Key', description: 'Authenticate with API key' }],
}));
peer.on('authenticate', ({ methodId, credentials }) => {
  if (methodId !== 'api_key') throw { code: -32002, message: 'Invalid method ID' };
  if (credentials?.apiKey !== 'secret_key_here') throw { code: -32001, message: 'Authentication failed' };
  isAuthenticated = true;
  return null;
});
peer.on('session/new', () => {
  if (!isAuthenticated) throw { code: -32001, message: 'Authentication required' };
  return { sessionId };
});
peer.on('session/set_mode', ({ modeId }) => {
  say({ type: 'current_mode_update', modeId });
  return null;
});
peer.on('session/prompt', async () => {
  const path = `${process.cwd()}/a.txt`;
  message("I'll fix the authentication bug. ");
  const call = { toolCallId: 'tool_1', title: 'Write a.txt', kind: 'edit', status: 'pending' };
  say({ type: 'tool_call', ...call, location: { path, line: 10 }, content: [] });
  const answer = await peer.request('session/request_permission', {
    sessionId,
    title: 'Change a.txt?',
    description: 'Adds a sign',
    options: [
      { optionId: 'allow', kind: 'allow_once', label: 'Change it' },
      { optionId: 'reject', kind: 'reject_once', label: 'Keep it' },
    ],
  });
  assert.deepEqual(answer, { selectedOptionId: 'allow' });
  const { content } = await peer.request('fs/read_text_file', { sessionId, path, startLine: 1, lineLimit: 50 });
  assert.equal(await peer.request('fs/write_text_file', { sessionId, path, content: `${content}!` }), null);
  const env = { GREETING: 'Hello Terminal' };
  const created = await peer.request('terminal/create', { sessionId, command: 'printenv', args: ['GREETING'], env });
  const { terminalId } = created;
  const exited = await peer.request('terminal/wait_for_exit', { sessionId, terminalId });
  assert.equal(exited.exitCode, 0);
  assert.match(exited.output, /Hello Terminal/);
  assert.equal(await peer.request('terminal/release', { sessionId, terminalId }), null);
  say({ type: 'tool_call_update', toolCallId: 'tool_1', status: 'completed', content: [{ type: 'text', text: 'ok' }] });
  message('It is done.');
  return { stopReason: 'end_turn' };
});
