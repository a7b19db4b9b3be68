/** An agent as seed 001 describes it. */
import { assert, openPeer, promise } from '@parley/testing/dialect-peer';

const peer = openPeer();
const sessionId = 's-1';
const say = (update) => peer.notify('session/update', { sessionId, update });
const text = (value) => ({ type: 'text', text: value });
let cancelled = promise();
let isAuthenticated = false;

peer.on('initialize', (params) => {
  assert.deepEqual(Object.keys(params), ['protocolVersion', 'clientCapabilities']);
  assert.deepEqual(Object.keys(params.clientCapabilities), ['fs']);
  const promptCapabilities = { image: false, audio: false, embeddedContext: true };
  const authMethods = [{ id: 'login', name: 'Log in' }];
  return { protocolVersion: 1, agentCapabilities: { loadSession: true, promptCapabilities }, authMethods };
});

peer.on('authenticate', ({ methodId }) => {
  isAuthenticated = methodId === 'login';
  return null;
});

peer.on('session/new', ({ mcpServers }) => {
  assert.ok(isAuthenticated);
  assert.deepEqual(Object.keys(mcpServers[0]).sort(), ['args', 'command', 'env', 'name']);
  return { sessionId };
});

peer.on('session/load', ({ cwd, mcpServers }) => {
  assert.ok(cwd && mcpServers);
  say({ sessionUpdate: 'user_message_chunk', content: text('Hi') });
  say({ sessionUpdate: 'agent_message_chunk', content: text('Hello') });
  return null;
});

peer.on('session/cancel', () => cancelled.keep());

peer.on('session/prompt', async ({ prompt }) => {
  if (prompt[0].text === 'wait') {
    await cancelled.kept;
    cancelled = promise();
    return { stopReason: 'cancelled' };
  }
  say({ sessionUpdate: 'plan', entries: [{ content: 'Edit', priority: 'high', status: 'pending' }] });
  const toolCall = { toolCallId: 't-1', title: 'Edit a.txt', kind: 'edit', status: 'pending' };
  say({
    sessionUpdate: 'tool_call',
    ...toolCall,
    content: [],
    locations: [{ path: '/w/a.txt', line: 1 }],
    rawInput: {},
  });
  const options = ['allow_once', 'reject_once'].map((kind) => ({ optionId: kind, name: kind, kind }));
  const { outcome } = await peer.request('session/request_permission', { sessionId, toolCall, options });
  assert.equal(outcome.optionId, 'allow_once');
  const { content } = await peer.request('fs/read_text_file', { sessionId, path: '/w/a.txt', line: 1, limit: 5 });
  assert.equal(await peer.request('fs/write_text_file', { sessionId, path: '/w/a.txt', content: `${content}!` }), null);
  const diff = { type: 'diff', path: '/w/a.txt', oldText: content, newText: `${content}!` };
  say({ sessionUpdate: 'tool_call_update', toolCallId: 't-1', status: 'completed', content: [diff] });
  say({ sessionUpdate: 'agent_message_chunk', content: text('Done.') });
  return { stopReason: 'end_turn' };
});
