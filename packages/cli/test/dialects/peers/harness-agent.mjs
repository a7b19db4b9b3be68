/** An adapter as acp-harness describes it, tolerant of what it does not know. */
import { assert, done, openPeer } from '@parley/testing/dialect-peer';

const peer = openPeer();

const sessionId = 'sess_abc123';
const say = (update) => peer.notify('session/update', { sessionId, update });
const text = (value) => ({ type: 'text', text: value });

peer.on('initialize', ({ protocolVersion, clientInfo }) => {
  if (protocolVersion !== 1) throw { code: -32602, message: 'Invalid params: protocolVersion is 1' };
  assert.equal(clientInfo.name, 'parley');
  const agentCapabilities = { loadSession: true, promptCapabilities: { image: true } };
  done('initialize');
  return { protocolVersion: 1, agentInfo: { name: 'my-agent', version: '1.0.0' }, agentCapabilities };
});
peer.on('session/new', ({ cwd, mcpServers }) => {
  assert.equal(cwd, process.cwd());
  const env = [{ name: 'A', value: 'b' }];
  // Nothing has shown the dialect yet, unless it is configured, so that the type may be missing.
  for (const { type = 'stdio', ...server } of mcpServers) {
    assert.deepEqual({ type, ...server }, { type: 'stdio', name: 'fs', command: '/bin/mcp', args: ['/data'], env });
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
    return { content: [text('As far as I came.')] };
  }
  assert.equal(prompt[0].text, 'work');
  const call = {
    sessionUpdate: 'tool_call',
    toolCallId: 'tool_123',
    title: 'Read',
    rawInput: { file_path: '/w/a.ts' },
  };
  say({ sessionUpdate: 'agent_thought_chunk', content: text('Let me think about this...') });
  say({ ...call, status: 'pending' });
  const { outcome } = await peer.request('session/request_permission', {
    sessionId,
    options: [
      { optionId: 'opt_1', kind: 'allow_once', label: 'Allow this action' },
      { optionId: 'opt_3', kind: 'deny', label: 'Deny' },
    ],
    message: 'Allow reading /w/a.ts?',
  });
  assert.deepEqual(outcome, { outcome: 'selected', optionId: 'opt_1' });
  done('session/request_permission');
  say({ ...call, status: 'running' });
  say({ ...call, status: 'completed' });
  say({ sessionUpdate: 'agent_message_chunk', content: text('Of course! ') });
  say({ sessionUpdate: 'plan', entries: [{ content: 'Look', priority: 'high', status: 'completed' }] });
  done('session/prompt');
  return { content: [text('Of course! It is done.')] };
});
peer.on('session/load', (params) => {
  assert.equal(params.sessionId, sessionId);
  say({ sessionUpdate: 'agent_message_chunk', content: text('Earlier.') });
  done('session/load');
  return null;
});
