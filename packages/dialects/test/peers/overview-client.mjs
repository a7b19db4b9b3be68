/** A client as seed 001 describes it. */
import { assert, openPeer, play } from '@parley/testing/dialect-peer';

const peer = openPeer();
const files = new Map([['/w/a.txt', 'one']]);

peer.on('session/request_permission', ({ toolCall, options }) => {
  assert.equal(toolCall.toolCallId, 'call-1');
  return { outcome: { outcome: 'selected', optionId: options.find(({ kind }) => kind === 'allow_once').optionId } };
});
peer.on('fs/read_text_file', ({ path }) => ({ content: files.get(path) }));
peer.on('fs/write_text_file', ({ path, content }) => {
  files.set(path, content);
  return null;
});

play(async () => {
  const clientCapabilities = { fs: { readTextFile: true, writeTextFile: true } };
  const initialized = await peer.request('initialize', { protocolVersion: 1, clientCapabilities });
  assert.deepEqual(Object.keys(initialized), ['protocolVersion', 'agentCapabilities', 'authMethods']);
  assert.deepEqual(Object.keys(initialized.agentCapabilities), ['loadSession', 'promptCapabilities']);
  assert.equal(await peer.request('authenticate', { methodId: initialized.authMethods[0].id }), null);
  const session = await peer.request('session/new', { cwd: '/w', mcpServers: [] });
  assert.deepEqual(Object.keys(session), ['sessionId']);
  const { sessionId } = session;

  const answer = await peer.request('session/prompt', { sessionId, prompt: [{ type: 'text', text: 'work' }] });
  assert.deepEqual(answer, { stopReason: 'end_turn' });
  assert.equal(files.get('/w/a.txt'), 'one and two');
  const calls = peer.updates.filter(({ toolCallId }) => toolCallId === 'call-1');
  assert.deepEqual(
    calls.map(({ sessionUpdate, status }) => [sessionUpdate, status]),
    [
      ['tool_call', 'pending'],
      ['tool_call_update', 'in_progress'],
      ['tool_call_update', 'completed'],
    ],
  );
  assert.ok(calls.every(({ rawInput }) => rawInput === undefined || typeof rawInput === 'object'));

  const waiting = peer.request('session/prompt', { sessionId, prompt: [{ type: 'text', text: 'wait' }] });
  peer.notify('session/cancel', { sessionId });
  assert.equal((await waiting).stopReason, 'cancelled');
  peer.updates.length = 0;
  assert.equal(await peer.request('session/load', { sessionId, cwd: '/w', mcpServers: [] }), null);
  assert.deepEqual(
    peer.updates.slice(0, 2).map(({ sessionUpdate }) => sessionUpdate),
    ['user_message_chunk', 'agent_message_chunk'],
  );
});
