/** `alex acp` as seed 003 describes it: it answers in the framing in which it is spoken to. */
import { assert, openPeer } from '@parley/testing/dialect-peer';

const peer = openPeer({ mirrors: true });
const sessionId = 'session-1';
const say = (update) => peer.notify('session/update', { sessionId, update });
const text = (value) => ({ type: 'text', text: value });
const modeIds = ['full', 'read-only', 'safe', 'sandbox'];
const modes = { currentModeId: 'full', availableModes: modeIds.map((id) => ({ id, name: id, description: id })) };

peer.on('initialize', () => ({
  protocolVersion: 1,
  agentInfo: { name: 'alex', version: '1', title: 'elephant.ai' },
  agentCapabilities: {
    loadSession: true,
    promptCapabilities: { audio: true, image: true, embeddedContext: true },
    mcpCapabilities: { http: false, sse: false },
    sessionCapabilities: {},
  },
  authMethods: [],
}));
peer.on('session/new', () => ({ sessionId, modes }));
peer.on('session/set_mode', ({ modeId }) => {
  if (!modeIds.includes(modeId)) throw { code: -32602, message: 'Invalid params', data: 'unknown mode' };
  say({ sessionUpdate: 'current_mode_update', currentModeId: modeId });
  return {};
});
peer.on('session/prompt', async () => {
  const call = { toolCallId: 't-1', title: 'rm', status: 'pending' };
  const options = [
    { optionId: 'allow_once', name: 'Allow', kind: 'allow_once' },
    { optionId: 'reject_once', name: 'Reject', kind: 'reject_once' },
  ];
  const { outcome } = await peer.request('session/request_permission', { sessionId, toolCall: call, options });
  assert.equal(outcome.optionId, 'allow_once');
  say({ sessionUpdate: 'tool_call', ...call, status: 'in_progress', kind: 'delete', rawInput: {} });
  const content = [{ type: 'content', content: text('x') }];
  say({ sessionUpdate: 'tool_call_update', toolCallId: 't-1', status: 'completed', rawOutput: 'x', content });
  say({ sessionUpdate: 'agent_message_chunk', content: text('It is done. Grüße') });
  return { stopReason: 'end_turn' };
});
