/** An adapter as acp-harness describes it. */
import { assert, openPeer, promise } from '@parley/testing/dialect-peer';

const peer = openPeer();
const sessionId = 'sess_abc123';
const say = (update) => peer.notify('session/update', { sessionId, update });
const text = (value) => ({ type: 'text', text: value });
let cancelled = promise();

peer.on('initialize', ({ protocolVersion, clientInfo, clientCapabilities }) => {
  assert.equal(protocolVersion, 1);
  assert.equal(typeof clientInfo.name, 'string');
  assert.equal(typeof clientCapabilities, 'object');
  const agentCapabilities = { loadSession: true, promptCapabilities: { image: true } };
  return { protocolVersion: 1, agentInfo: { name: 'my-agent', version: '1.0.0' }, agentCapabilities };
});

peer.on('session/new', ({ cwd, mcpServers }) => {
  assert.ok(cwd.startsWith('/'));
  assert.deepEqual(
    mcpServers.map(({ type }) => type),
    ['stdio'],
  );
  return { sessionId };
});

peer.on('session/load', (params) => {
  assert.deepEqual(Object.keys(params), ['sessionId']);
  say({ sessionUpdate: 'agent_message_chunk', content: text('Welcome back.') });
  return {};
});

peer.on('session/cancel', () => cancelled.keep());

peer.on('session/prompt', async ({ prompt }) => {
  if (prompt[0].text === 'wait') {
    say({ sessionUpdate: 'agent_message_chunk', content: text('I am ') });
    await cancelled.kept;
    cancelled = promise();
    throw { code: -32800, message: 'Request cancelled' };
  }
  assert.equal(prompt[1].source.mediaType, 'image/png');
  assert.match(prompt[2].text, /^\[a\.txt\]\(/);
  say({ sessionUpdate: 'agent_thought_chunk', content: text('Let me think about this...') });
  say({ sessionUpdate: 'plan', entries: [{ content: 'Read', priority: 'high', status: 'in_progress' }] });
  const call = {
    sessionUpdate: 'tool_call',
    toolCallId: 'tool_123',
    title: 'Read',
    rawInput: { file_path: '/w/a.ts' },
  };
  say({ ...call, status: 'pending' });
  const { outcome } = await peer.request('session/request_permission', {
    sessionId,
    options: [
      { optionId: 'opt_1', kind: 'allow_once', label: 'Allow this action' },
      { optionId: 'opt_2', kind: 'allow_always', label: 'Always allow' },
      { optionId: 'opt_3', kind: 'deny', label: 'Deny' },
    ],
    message: 'Allow reading /etc/passwd?',
  });
  assert.deepEqual(outcome, { outcome: 'selected', optionId: 'opt_1' });
  say({ ...call, status: 'running' });
  say({ ...call, status: 'completed' });
  say({ sessionUpdate: 'agent_message_chunk', content: text('Of course! ') });
  return { content: [text('Of course! How can I assist you today?')] };
});
