/** `alex acp` as seed 003 describes it: it answers in the framing in which it is spoken to. */
import { assert, openPeer, promise } from '@parley/testing/dialect-peer';

const peer = openPeer({ mirrors: true });
const sessionId = 'session-1';
const say = (update) => peer.notify('session/update', { sessionId, update });
const text = (value) => ({ type: 'text', text: value });
const modeIds = ['full', 'read-only', 'safe', 'sandbox'];
const modes = { currentModeId: 'full', availableModes: modeIds.map((id) => ({ id, name: id, description: id })) };
let cancelled = promise();
let isBusy = false;

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
peer.on('authenticate', () => ({}));
peer.on('session/new', ({ mcpServers }) => {
  assert.ok(mcpServers.every(({ type }) => type === 'stdio'));
  return { sessionId, modes };
});
peer.on('session/load', () => ({ modes }));
peer.on('session/set_mode', ({ modeId }) => {
  if (!modeIds.includes(modeId)) throw { code: -32602, message: 'Invalid params', data: 'unknown mode' };
  say({ sessionUpdate: 'current_mode_update', currentModeId: modeId });
  return {};
});
peer.on('session/cancel', () => cancelled.keep());

peer.on('session/prompt', async ({ prompt }) => {
  if (isBusy) throw { code: -32600, message: 'InvalidRequest' };
  if (prompt[0].text === 'wait') {
    isBusy = true;
    const call = { toolCallId: 't-2', title: 'rm', status: 'pending' };
    const options = [
      { optionId: 'allow_once', name: 'Allow', kind: 'allow_once' },
      { optionId: 'reject_once', name: 'Reject', kind: 'reject_once' },
    ];
    const asked = peer.request('session/request_permission', { sessionId, toolCall: call, options });
    await cancelled.kept;
    assert.deepEqual(await asked, { outcome: { outcome: 'cancelled' } });
    cancelled = promise();
    isBusy = false;
    return { stopReason: 'cancelled' };
  }
  say({
    sessionUpdate: 'tool_call',
    toolCallId: 't-1',
    title: 'Read',
    status: 'in_progress',
    kind: 'read',
    rawInput: {},
  });
  say({
    sessionUpdate: 'tool_call_update',
    toolCallId: 't-1',
    status: 'completed',
    rawOutput: 'x',
    content: [{ type: 'content', content: text('x') }],
  });
  say({ sessionUpdate: 'plan', entries: [{ content: 'Look', priority: 'low', status: 'completed' }] });
  say({ sessionUpdate: 'agent_message_chunk', content: text('Grüße') });
  return { stopReason: 'max_turn_requests' };
});
