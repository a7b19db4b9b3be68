/** An agent as the structs and the flow of seed 002 describe it. */
import { assert, openPeer } from '@parley/testing/dialect-peer';

const peer = openPeer();
const sessionId = 's-1';
const say = (update) => peer.notify('session/update', { sessionId, update });

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
peer.on('session/prompt', async () => {
  say({ sessionUpdate: 'agent_message_chunk', content: { type: 'text', text: 'On it. ' } });
  say({ plan: { description: 'Fix it', steps: ['Look', 'Change'] } });
  const call = { toolCallId: 't-1', title: 'Run npm test' };
  say({ kind: 'tool_call', ...call, toolKind: 'execute', status: 'pending', input: { a: 1 } });
  const kinds = ['allow_once', 'allow_always', 'reject_once', 'reject_always'];
  const options = kinds.map((kind) => ({ optionId: kind, name: kind, kind }));
  const { outcome } = await peer.request('session/request_permission', {
    sessionId,
    toolCall: { ...call, kind: 'execute' },
    options,
  });
  assert.equal(outcome.outcome, 'selected');
  say({ kind: 'tool_call_update', toolCallId: 't-1', status: 'in_progress' });
  const output = [{ type: 'content', content: { type: 'text', text: 'ok' } }];
  say({ kind: 'tool_call_update', toolCallId: 't-1', status: 'completed', output });
  say({ sessionUpdate: 'agent_message_chunk', content: { type: 'text', text: 'It is done.' } });
  return { sessionId, stopReason: 'end_turn' };
});
