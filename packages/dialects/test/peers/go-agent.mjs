/** An agent as the structs and the flow of seed 002 describe it. */
import { assert, openPeer, promise } from '@parley/testing/dialect-peer';

const peer = openPeer();
const sessionId = 's-1';
const say = (update) => peer.notify('session/update', { sessionId, update });
let cancelled = promise();

peer.on('initialize', ({ clientCapabilities }) => {
  assert.equal(clientCapabilities.terminal, true);
  const promptCapabilities = { content: ['text', 'image'] };
  const agentCapabilities = { loadSession: true, promptCapabilities, mcp: { httpTransport: true } };
  return { protocolVersion: 1, agentInfo: { name: 'claude-code-acp', version: '1' }, agentCapabilities };
});

peer.on('session/new', ({ mcpServers }) => {
  assert.deepEqual(mcpServers[0], { name: 'fs', command: '/bin/mcp', args: [], env: [] });
  return { sessionId };
});

peer.on('session/load', ({ cwd, mcpServers }) => {
  assert.equal(cwd, '/w');
  assert.deepEqual(mcpServers, { fs: { type: 'stdio', command: '/bin/mcp', args: [], env: {} } });
  say({ sessionUpdate: 'user_message_chunk', content: { text: 'Hi' } });
  say({ kind: 'tool_call', toolCallId: 'old', title: 'Old', toolKind: 'read', status: 'cancelled' });
  return {};
});

peer.on('session/cancel', () => cancelled.keep());

peer.on('session/prompt', async ({ prompt }) => {
  if (prompt[0].text === 'wait') {
    await cancelled.kept;
    cancelled = promise();
    return { sessionId, stopReason: 'cancelled' };
  }
  if (prompt[0].text === 'quietly') {
    return { sessionId, messages: [{ role: 'assistant', content: 'In short.' }], stopReason: 'end_turn' };
  }
  assert.equal(prompt[1].type, 'resourceLink');
  say({ sessionUpdate: 'agent_message_chunk', content: { type: 'text', text: 'On it. ' } });
  say({ plan: { description: 'Fix it', steps: ['Look', 'Change'] } });
  const toolCall = { toolCallId: 't-1', title: 'Run npm test', kind: 'execute' };
  say({
    kind: 'tool_call',
    toolCallId: 't-1',
    title: 'Run npm test',
    toolKind: 'execute',
    status: 'pending',
    input: { a: 1 },
  });
  const kinds = ['allow_once', 'allow_always', 'reject_once', 'reject_always'];
  const options = kinds.map((kind) => ({ optionId: kind, name: kind, kind }));
  const { outcome } = await peer.request('session/request_permission', { sessionId, toolCall, options });
  assert.deepEqual(outcome, { outcome: 'selected', optionId: 'allow_once' });
  say({ kind: 'tool_call_update', toolCallId: 't-1', status: 'in_progress' });
  const output = [
    { type: 'content', content: { type: 'text', text: 'ok' } },
    { type: 'diff', path: '/w/a', newContent: 'new' },
  ];
  say({ kind: 'tool_call_update', toolCallId: 't-1', status: 'completed', output });
  say({ sessionUpdate: 'agent_message_chunk', content: { type: 'text', text: 'Done.' } });
  return { sessionId, stopReason: 'end_turn' };
});
