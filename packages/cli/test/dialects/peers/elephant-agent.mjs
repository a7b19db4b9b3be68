/** `alex acp` and `alex acp serve` as seed 003 describes them: on a pipe it answers in the framing in which it is spoken to. */
import { assert, done, openPeer } from '@parley/testing/dialect-peer';

const peer = openPeer({ mirrors: true });

const sessionId = 'session-1';
const say = (update) => peer.notify('session/update', { sessionId, update });
const text = (value) => ({ type: 'text', text: value });
const modeIds = ['full', 'read-only', 'safe', 'sandbox'];
const modes = { currentModeId: 'full', availableModes: modeIds.map((id) => ({ id, name: id, description: id })) };

peer.on('initialize', () => {
  done('initialize');
  return WELCOME;
});
const WELCOME = {
  protocolVersion: 1,
  agentInfo: { name: 'alex', version: '1', title: 'elephant.ai' },
  agentCapabilities: {
    loadSession: true,
    promptCapabilities: { audio: true, image: true, embeddedContext: true },
    mcpCapabilities: { http: false, sse: false },
    sessionCapabilities: {},
  },
  authMethods: [],
};
/** S3:366: the type is required, and programs are all it starts. */
function checkServers(mcpServers) {
  for (const server of mcpServers) {
    if (server.type !== 'stdio') throw { code: -32602, message: 'Invalid params', data: 'only stdio is supported' };
    done('an MCP server');
  }
}
peer.on('session/new', ({ mcpServers }) => {
  checkServers(mcpServers);
  done('session/new');
  return { sessionId, modes };
});
peer.on('session/load', ({ cwd, mcpServers }) => {
  assert.ok(cwd.startsWith('/'));
  checkServers(mcpServers);
  say({ sessionUpdate: 'user_message_chunk', content: text('Before.') });
  say({ sessionUpdate: 'agent_message_chunk', content: text('Earlier.') });
  done('session/load');
  return { modes };
});
peer.on('session/set_mode', ({ modeId }) => {
  if (!modeIds.includes(modeId)) throw { code: -32602, message: 'Invalid params', data: 'unknown mode' };
  say({ sessionUpdate: 'current_mode_update', currentModeId: modeId });
  done('session/set_mode');
  return {};
});
peer.on('session/prompt', async ({ prompt }) => {
  if (prompt[0].text === 'wait') {
    say({ sessionUpdate: 'agent_message_chunk', content: text('Waiting.') });
    await peer.cancelled();
    done('session/cancel');
    return { stopReason: 'cancelled' };
  }
  const call = { toolCallId: 't-1', title: 'rm', status: 'pending' };
  const options = [
    { optionId: 'allow_once', name: 'Allow', kind: 'allow_once' },
    { optionId: 'reject_once', name: 'Reject', kind: 'reject_once' },
  ];
  const { outcome } = await peer.request('session/request_permission', { sessionId, toolCall: call, options });
  assert.equal(outcome.optionId, 'allow_once');
  done('session/request_permission');
  say({ sessionUpdate: 'tool_call', ...call, status: 'in_progress', kind: 'delete', rawInput: {} });
  const content = [{ type: 'content', content: text('x') }];
  say({ sessionUpdate: 'tool_call_update', toolCallId: 't-1', status: 'completed', rawOutput: 'x', content });
  say({ sessionUpdate: 'agent_message_chunk', content: text('It is done. Grüße') });
  say({ sessionUpdate: 'plan', entries: [{ content: 'Look', priority: 'high', status: 'completed' }] });
  done('session/prompt');
  return { stopReason: 'end_turn' };
});
