/** A client as acp-harness describes it. */
import { assert, openPeer, play } from '@parley/testing/dialect-peer';

const peer = openPeer();
const asked = [];

peer.on('session/request_permission', (params) => {
  asked.push(params);
  return { outcome: { outcome: 'selected', optionId: params.options[0].optionId } };
});

play(async () => {
  const initialized = await peer.request('initialize', {
    protocolVersion: 1,
    clientInfo: { name: 'acp-harness', version: '1.0.0' },
    clientCapabilities: {},
  });
  assert.deepEqual(Object.keys(initialized.agentCapabilities), ['loadSession', 'promptCapabilities']);
  assert.deepEqual(Object.keys(initialized.agentCapabilities.promptCapabilities), ['image']);
  const server = { type: 'stdio', name: 'fs', command: '/bin/mcp', args: [], env: [] };
  const { sessionId, ...more } = await peer.request('session/new', { cwd: '/w', mcpServers: [server] });
  assert.deepEqual(more, {});

  const image = { type: 'image', source: { type: 'base64', mediaType: 'image/png', data: 'iVBORw0KGgo=' } };
  const answer = await peer.request('session/prompt', { sessionId, prompt: [{ type: 'text', text: 'work' }, image] });
  const said = peer.updates.filter(({ sessionUpdate }) => sessionUpdate === 'agent_message_chunk');
  assert.equal(answer.content[0].text, said.map(({ content }) => content.text).join(''));
  const kinds = new Set(peer.updates.map(({ sessionUpdate }) => sessionUpdate));
  assert.deepEqual([...kinds].sort(), ['agent_message_chunk', 'agent_thought_chunk', 'plan', 'tool_call']);
  const calls = peer.updates.filter(({ sessionUpdate }) => sessionUpdate === 'tool_call');
  assert.deepEqual(
    calls.map(({ status }) => status),
    ['pending', 'running', 'completed'],
  );
  assert.ok(calls.every(({ title, toolCallId }) => title === 'edit_file' && toolCallId === 'call-1'));
  assert.equal(asked[0].toolCall, undefined);
  assert.match(asked[0].message, /Edit a\.txt/);
  assert.deepEqual(
    asked[0].options.map(({ kind, label }) => [kind, label]),
    [
      ['allow_once', 'Allow'],
      ['allow_always', 'Always'],
      ['deny', 'Reject'],
    ],
  );

  const waiting = peer.request('session/prompt', { sessionId, prompt: [{ type: 'text', text: 'wait' }] });
  peer.notify('session/cancel', { sessionId });
  assert.equal((await waiting).stopReason, 'cancelled');

  peer.updates.length = 0;
  await peer.request('session/load', { sessionId });
  assert.ok(peer.updates.length > 0);
  await assert.rejects(peer.request('session/load', { sessionId: 'nobody' }), { code: -32602 });
});
