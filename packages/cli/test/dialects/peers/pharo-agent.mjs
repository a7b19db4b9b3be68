/** An agent as seed 004 describes it, on stdio, a WebSocket or plain POST: it wants a key, and its updates are tagged `type`. */
import { assert, done, openPeer } from '@parley/testing/dialect-peer';

const peer = openPeer();

const sessionId = 'sess_abc123';
const say = (update) => peer.write({ method: 'session/update', params: { sessionId, update } });
const message = (value) => say({ type: 'message', role: 'agent', content: [{ type: 'text', text: value }] });
const SERVER = { transport: 'stdio', command: '/bin/mcp', args: ['/data'], env: { A: 'b' } };
let isAuthenticated = false;

peer.on('initialize', () => {
  done('initialize');
  return WELCOME;
});
const WELCOME = {
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
};
peer.on('authenticate', ({ methodId, credentials }) => {
  if (methodId !== 'api_key') throw { code: -32002, message: 'Invalid method ID' };
  if (credentials?.apiKey !== 'secret_key_here') throw { code: -32001, message: 'Authentication failed' };
  isAuthenticated = true;
  done('authenticate');
  return null;
});
peer.on('session/new', ({ mcpServers }) => {
  if (!isAuthenticated) throw { code: -32001, message: 'Authentication required' };
  for (const server of mcpServers) {
    const { transport, command, args, env } = server;
    assert.deepEqual({ transport, command, args, env }, SERVER);
    done('an MCP server');
  }
  done('session/new');
  return { sessionId };
});
peer.on('session/set_mode', ({ modeId }) => {
  say({ type: 'current_mode_update', modeId });
  done('session/set_mode');
  return null;
});
peer.on('session/load', (params) => {
  assert.deepEqual(Object.keys(params), ['sessionId', 'mcpServers']);
  message('Earlier.');
  done('session/load');
  return null;
});
peer.on('session/prompt', async ({ prompt }) => {
  if (prompt[0].text === 'wait') {
    message('Waiting.');
    await peer.cancelled();
    done('session/cancel');
    return { stopReason: 'cancelled' };
  }
  if (process.env.SERVES === 'post') {
    // Where only answers go back, there is nobody to ask.
    done('session/prompt');
    return { stopReason: 'end_turn' };
  }
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
  done('session/request_permission');
  const { content } = await peer.request('fs/read_text_file', { sessionId, path, startLine: 1, lineLimit: 50 });
  assert.equal(await peer.request('fs/write_text_file', { sessionId, path, content: `${content}!` }), null);
  done('fs/read_text_file and fs/write_text_file');
  const env = { GREETING: 'Hello Terminal' };
  const created = await peer.request('terminal/create', { sessionId, command: 'printenv', args: ['GREETING'], env });
  const { terminalId } = created;
  const exited = await peer.request('terminal/wait_for_exit', { sessionId, terminalId });
  assert.equal(exited.exitCode, 0);
  assert.match(exited.output, /Hello Terminal/);
  assert.equal(await peer.request('terminal/release', { sessionId, terminalId }), null);
  done('terminals');
  say({ type: 'tool_call_update', toolCallId: 'tool_1', status: 'completed', content: [{ type: 'text', text: 'ok' }] });
  message('It is done.');
  done('session/prompt');
  return { stopReason: 'end_turn' };
});
