/** A client of `alex acp` as seed 003 describes it, speaking in `Content-Length` frames. */
import { existsSync, readFileSync } from 'node:fs';
import { assert, openPeer, play } from '@parley/testing/dialect-peer';

const peer = openPeer({ framing: 'content-length' });
const cwd = process.cwd();
const asked = [];

peer.on('session/request_permission', (params) => {
  asked.push(params);
  return { outcome: { outcome: 'selected', optionId: 'allow_once' } };
});

const say = (sessionId, text, ...more) =>
  peer.request('session/prompt', { sessionId, prompt: [{ type: 'text', text }, ...more] });
const modesTold = () => peer.updates.flatMap(({ currentModeId }) => (currentModeId ? [currentModeId] : []));

play(async () => {
  const initialized = await peer.request('initialize', { protocolVersion: 1 });
  assert.equal(initialized.protocolVersion, 1);
  assert.ok(initialized.authMethods.every(({ id, name }) => id && name));
  // Where there is nothing to log in with, it says that it has logged in.
  if (initialized.authMethods.length === 0)
    assert.deepEqual(await peer.request('authenticate', { methodId: 'any' }), {});
  const { sessionId, modes, ...more } = await peer.request('session/new', { cwd, mcpServers: [] });
  assert.deepEqual(more, {});
  assert.equal(modes.currentModeId, 'full');
  assert.deepEqual(
    modes.availableModes.map(({ id, name }) => [id, name]),
    [
      ['full', 'Full Access'],
      ['read-only', 'Read-Only'],
      ['safe', 'Safe Mode'],
      ['sandbox', 'Sandbox Mode'],
    ],
  );

  const link = { type: 'resource_link', uri: 'file:///w/a.txt' };
  const image = { type: 'image', data: 'iVBORw0KGgo=' };
  const answer = await say(sessionId, 'create note.txt with "from the elephant"', link, image);
  assert.equal(answer.stopReason, 'end_turn');
  assert.equal(readFileSync('note.txt', 'utf8').trim(), 'from the elephant');
  assert.deepEqual(
    asked[0].options.map(({ optionId, kind }) => [optionId, kind]),
    [
      ['allow_once', 'allow_once'],
      ['reject_once', 'reject_once'],
    ],
  );
  assert.ok(peer.updates.every(({ status }) => status !== 'pending'));

  for (const modeId of ['read-only', 'safe', 'sandbox', 'full', 'read-only']) {
    assert.deepEqual(await peer.request('session/set_mode', { sessionId, modeId }), {});
  }
  const loaded = await peer.request('session/load', { sessionId, cwd, mcpServers: [] });
  assert.equal(loaded.modes.currentModeId, 'read-only');
  assert.deepEqual(modesTold().slice(0, 5), ['read-only', 'safe', 'sandbox', 'full', 'read-only']);
  await assert.rejects(peer.request('session/set_mode', { sessionId, modeId: 'yolo' }), { code: -32602 });

  // In this mode there is nothing that could write.
  await say(sessionId, 'create other.txt with "x"');
  assert.equal(existsSync('other.txt'), false);
  await peer.request('session/set_mode', { sessionId, modeId: 'full' });

  const waiting = say(sessionId, 'run `sleep 30`');
  await assert.rejects(say(sessionId, 'help'), { code: -32600 });
  peer.notify('session/cancel', { sessionId });
  assert.equal((await waiting).stopReason, 'cancelled');
});
