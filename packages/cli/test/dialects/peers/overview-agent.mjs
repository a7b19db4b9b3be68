/** An agent as seed 001 describes it: it wants a login, and answers null where others answer an object. */
import { assert, done, openPeer } from '@parley/testing/dialect-peer';

const peer = openPeer();

const sessionId = 's-1';
const say = (update) => peer.notify('session/update', { sessionId, update });
const text = (value) => ({ type: 'text', text: value });
let isAuthenticated = false;

peer.on('initialize', () => {
  done('initialize');
  const promptCapabilities = { image: false, audio: false, embeddedContext: true };
  const authMethods = [{ id: 'login', name: 'Log in' }];
  return { protocolVersion: 1, agentCapabilities: { loadSession: true, promptCapabilities }, authMethods };
});
peer.on('authenticate', ({ methodId }) => {
  isAuthenticated = methodId === 'login';
  done('authenticate');
  return null;
});
peer.on('session/new', ({ mcpServers }) => {
  if (!isAuthenticated) throw { code: -32000, message: 'Authentication required' };
  const env = [{ name: 'A', value: 'b' }];
  for (const server of mcpServers) {
    assert.deepEqual(server, { name: 'fs', command: '/bin/mcp', args: ['/data'], env });
    done('an MCP server');
  }
  done('session/new');
  return { sessionId };
});
peer.on('session/prompt', async ({ prompt }) => {
  if (prompt[0].text === 'wait') {
    say({ sessionUpdate: 'agent_message_chunk', content: text('Waiting.') });
    await peer.cancelled();
    done('session/cancel');
    return { stopReason: 'cancelled' };
  }
  const entries = [{ content: 'Look', priority: 'high', status: 'in_progress' }];
  say({ sessionUpdate: 'plan', entries });
  const path = `${process.cwd()}/a.txt`;
  const toolCall = { toolCallId: 't-1', title: 'Edit a.txt', kind: 'edit', status: 'pending' };
  say({ sessionUpdate: 'tool_call', ...toolCall, content: [], locations: [{ path, line: 1 }], rawInput: {} });
  const options = ['allow_once', 'reject_once'].map((kind) => ({ optionId: kind, name: kind, kind }));
  const { outcome } = await peer.request('session/request_permission', { sessionId, toolCall, options });
  assert.equal(outcome.optionId, 'allow_once');
  done('session/request_permission');
  const { content } = await peer.request('fs/read_text_file', { sessionId, path, line: 1, limit: 5 });
  assert.equal(await peer.request('fs/write_text_file', { sessionId, path, content: `${content}!` }), null);
  done('fs/read_text_file and fs/write_text_file');
  const diff = { type: 'diff', path, oldText: content, newText: `${content}!` };
  say({ sessionUpdate: 'tool_call_update', toolCallId: 't-1', status: 'completed', content: [diff] });
  say({ sessionUpdate: 'agent_message_chunk', content: text('It is done.') });
  done('session/prompt');
  return { stopReason: 'end_turn' };
});
peer.on('session/load', ({ cwd, mcpServers }) => {
  assert.equal(cwd, process.cwd());
  assert.ok(Array.isArray(mcpServers));
  say({ sessionUpdate: 'user_message_chunk', content: text('Before.') });
  say({ sessionUpdate: 'agent_message_chunk', content: text('Earlier.') });
  done('session/load');
  return null;
});
