/** A client of `alex acp` as seed 003 describes it, speaking in `Content-Length` frames. */
import { assert, openPeer, play } from '@parley/testing/dialect-peer';

const peer = openPeer({ framing: 'content-length' });
const asked = [];

peer.on('session/request_permission', (params) => {
  asked.push(params);
  return { outcome: { outcome: 'selected', optionId: 'allow_once' } };
});

play(async () => {
  const initialized = await peer.request('initialize', { protocolVersion: 1 });
  assert.equal(initialized.protocolVersion, 1);
  assert.deepEqual(await peer.request('authenticate', { methodId: 'any' }), {});
  const server = { type: 'stdio', name: 'fs', command: '/bin/mcp', args: [], env: [] };
  const { sessionId, modes, ...more } = await peer.request('session/new', { cwd: '/w', mcpServers: [server] });
  assert.deepEqual(more, {});
  assert.equal(modes.currentModeId, 'full');

  const prompt = [
    { type: 'text', text: 'work' },
    { type: 'resource_link', uri: 'file:///w/a.txt' },
    { type: 'image', data: 'iVBORw0KGgo=' },
  ];
  assert.deepEqual(await peer.request('session/prompt', { sessionId, prompt }), { stopReason: 'end_turn' });
  assert.deepEqual(
    asked[0].options.map(({ optionId, kind }) => [optionId, kind]),
    [
      ['allow_once', 'allow_once'],
      ['reject_once', 'reject_once'],
    ],
  );
  const calls = peer.updates.filter(({ toolCallId }) => toolCallId === 'call-1');
  assert.deepEqual(
    calls.map(({ status }) => status),
    ['in_progress', 'in_progress', 'completed'],
  );

  assert.deepEqual(await peer.request('session/set_mode', { sessionId, modeId: 'safe' }), {});
  await peer.request('session/load', { sessionId, cwd: '/w', mcpServers: [] });
  assert.ok(peer.updates.some(({ currentModeId }) => currentModeId === 'safe'));
  await assert.rejects(peer.request('session/set_mode', { sessionId, modeId: 'yolo' }), { code: -32602 });

  const waiting = peer.request('session/prompt', { sessionId, prompt: [{ type: 'text', text: 'wait' }] });
  await assert.rejects(peer.request('session/prompt', { sessionId, prompt: [] }), { code: -32600 });
  peer.notify('session/cancel', { sessionId });
  assert.deepEqual(await waiting, { stopReason: 'cancelled' });
});
