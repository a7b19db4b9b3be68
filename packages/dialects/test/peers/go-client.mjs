/** A client as the structs and the flow of seed 002 describe it. */
import { assert, openPeer, play } from '@parley/testing/dialect-peer';

const peer = openPeer();

peer.on('session/request_permission', ({ toolCall }) => {
  assert.deepEqual(Object.keys(toolCall), ['toolCallId', 'title', 'kind']);
  return { outcome: 'selected', optionId: 'allow' };
});

play(async () => {
  const initialized = await peer.request('initialize', { protocolVersion: 1, clientCapabilities: {} });
  assert.deepEqual(initialized.agentCapabilities.promptCapabilities.content, ['text', 'image', 'embeddedContext']);
  assert.deepEqual(initialized.agentCapabilities.mcp, { httpTransport: true, sseTransport: false });
  assert.equal(initialized.authMethods, undefined);
  const mcpServers = {
    filesystem: { type: 'stdio', command: '/path/to/server', args: ['--stdio'], env: {} },
    api: { type: 'http', url: 'https://mcp.example.com', headers: { Authorization: 'Bearer xxx' } },
  };
  const session = await peer.request('session/new', { cwd: '/w', mcpServers });
  assert.deepEqual(Object.keys(session), ['sessionId']);
  const { sessionId } = session;

  const prompt = [
    { type: 'text', text: 'work' },
    { type: 'resourceLink', uri: 'file:///w/a.txt', name: 'a.txt' },
    { type: 'resource', uri: 'file:///w/b.txt', text: 'b' },
  ];
  const answer = await peer.request('session/prompt', { sessionId, prompt });
  assert.deepEqual(answer, { sessionId, stopReason: 'end_turn' });
  const calls = peer.updates.filter(({ toolCallId }) => toolCallId === 'call-1');
  assert.deepEqual(
    calls.map(({ kind, sessionUpdate, status }) => [kind, sessionUpdate, status]),
    [
      ['tool_call', 'tool_call', 'pending'],
      ['tool_call_update', 'tool_call_update', 'in_progress'],
      ['tool_call_update', 'tool_call_update', 'completed'],
    ],
  );
  assert.equal(calls[0].toolKind, 'edit');
  assert.equal(calls[2].output[0].newContent, 'one and two');
  assert.deepEqual(peer.updates.find(({ plan }) => plan).plan.steps, ['Edit a.txt']);

  const waiting = peer.request('session/prompt', { sessionId, prompt: [{ type: 'text', text: 'wait' }] });
  peer.notify('session/cancel', { sessionId });
  assert.equal((await waiting).stopReason, 'cancelled');
  await peer.request('session/load', { sessionId, cwd: '/w' });
  await assert.rejects(peer.request('session/load', { sessionId: 'nobody', cwd: '/w' }), { code: -32003 });
});
