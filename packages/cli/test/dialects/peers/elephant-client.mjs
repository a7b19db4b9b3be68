/** A client of `alex acp` as seed 003 describes it: in `Content-Length` frames, in lines, or over HTTP+SSE. */
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { assert, flow, openPeer, play, promise } from '@parley/testing/dialect-peer';

const peer = openPeer({ framing: process.env.FRAMING ?? 'content-length' });
const cwd = process.cwd();
const asked = [];
let answerNext;

peer.on('session/request_permission', (params) => {
  asked.push(params);
  return answerNext?.() ?? { outcome: { outcome: 'selected', optionId: 'allow_once' } };
});

const say = (sessionId, text, ...more) =>
  peer.request('session/prompt', { sessionId, prompt: [{ type: 'text', text }, ...more] });
const modesTold = () => peer.updates.flatMap(({ currentModeId }) => (currentModeId ? [currentModeId] : []));
const STATUSES = new Set(['pending', 'in_progress', 'completed']);
const MODES = [
  ['full', 'Full Access'],
  ['read-only', 'Read-Only'],
  ['safe', 'Safe Mode'],
  ['sandbox', 'Sandbox Mode'],
];

play(async () => {
  await flow('initialize', async () => {
    const { protocolVersion, agentCapabilities, authMethods } = await peer.request('initialize', {
      protocolVersion: 1,
    });
    assert.equal(protocolVersion, 1);
    assert.equal(agentCapabilities.loadSession, true);
    const { _meta, ...content } = agentCapabilities.promptCapabilities;
    assert.deepEqual(content, { audio: true, image: true, embeddedContext: true });
    assert.ok(authMethods.every(({ id, name }) => id && name));
  });
  await flow('authenticate, whatever the method is', async () => {
    for (const methodId of ['any', 'anthropic-api-key']) {
      assert.deepEqual(await peer.request('authenticate', { methodId }), {});
    }
  });
  const { sessionId } = await flow('session/new with the four modes', async () => {
    const { modes, ...session } = await peer.request('session/new', { cwd, mcpServers: [] });
    assert.deepEqual(Object.keys(session), ['sessionId']);
    assert.equal(modes.currentModeId, 'full');
    assert.deepEqual(
      modes.availableModes.map(({ id, name }) => [id, name]),
      MODES,
    );
    assert.ok(modes.availableModes.every(({ description }) => description));
    return session;
  });
  await flow('a stdio server with its type', async () => {
    const server = { type: 'stdio', name: 'fs', command: 'true', args: [], env: [{ name: 'A', value: 'b' }] };
    assert.ok((await peer.request('session/new', { cwd, mcpServers: [server] })).sessionId);
  });

  await flow('session/prompt with a link without a name and an image without a type', async () => {
    const link = { type: 'resource_link', uri: 'file:///w/a.txt' };
    const image = { type: 'image', data: 'iVBORw0KGgo=' };
    const answer = await say(sessionId, 'create note.txt with "from the elephant"', link, image);
    assert.deepEqual(answer.stopReason, 'end_turn');
    assert.equal(readFileSync('note.txt', 'utf8').trim(), 'from the elephant');
  });
  await flow('embedded resources and audio', async () => {
    const uri = 'file:///w/a.txt';
    const resources = [
      { uri, text: 'x' },
      { uri, blob: 'eA==', mimeType: 'text/plain' },
    ];
    const blocks = resources.map((resource) => ({ type: 'resource', resource }));
    assert.equal((await say(sessionId, 'help', ...blocks, { type: 'audio', data: 'UklGRg==' })).stopReason, 'end_turn');
  });
  await flow('session/request_permission with two options', () => {
    assert.equal(typeof asked[0].toolCall.toolCallId, 'string');
    assert.deepEqual(
      asked[0].options.map(({ optionId, kind }) => [optionId, kind]),
      [
        ['allow_once', 'allow_once'],
        ['reject_once', 'reject_once'],
      ],
    );
  });
  await flow('tool_call in progress, then its updates', () => {
    const calls = peer.updates.filter(({ toolCallId }) => toolCallId);
    assert.deepEqual([calls[0].sessionUpdate, calls[0].status], ['tool_call', 'in_progress']);
    assert.ok(calls[0].title);
    assert.equal(calls.at(-1).status, 'completed');
    assert.ok(calls.every(({ status }) => status !== 'pending'));
  });
  await flow('agent_message_chunk', () => {
    const chunks = peer.updates.filter(({ sessionUpdate }) => sessionUpdate === 'agent_message_chunk');
    assert.ok(chunks.length > 0 && chunks.every(({ content }) => content.type === 'text'));
  });
  await flow('a rejected permission', async () => {
    answerNext = () => ({ outcome: { outcome: 'selected', optionId: 'reject_once' } });
    await say(sessionId, 'create refused.txt with "x"');
    answerNext = undefined;
    assert.equal(existsSync('refused.txt'), false);
  });

  await flow('plan', async () => {
    await say(sessionId, 'show note.txt, then run `true`');
    const plans = peer.updates.filter(({ sessionUpdate }) => sessionUpdate === 'plan');
    const entries = plans.flatMap((plan) => plan.entries);
    assert.ok(entries.every(({ content, priority }) => content && ['high', 'medium', 'low'].includes(priority)));
    assert.deepEqual(new Set(entries.map(({ status }) => status)), STATUSES);
  });

  await flow('session/set_mode, and current_mode_update', async () => {
    const ids = ['read-only', 'safe', 'sandbox', 'full', 'read-only'];
    for (const modeId of ids) assert.deepEqual(await peer.request('session/set_mode', { sessionId, modeId }), {});
    const loaded = await peer.request('session/load', { sessionId, cwd, mcpServers: [] });
    assert.equal(loaded.modes.currentModeId, 'read-only');
    assert.deepEqual(modesTold().slice(0, 5), ids);
  });
  await flow('user_message_chunk when a session is loaded', () =>
    assert.ok(peer.updates.some(({ sessionUpdate }) => sessionUpdate === 'user_message_chunk')),
  );
  await flow('-32602 for a mode that is not there', () =>
    assert.rejects(peer.request('session/set_mode', { sessionId, modeId: 'yolo' }), { code: -32602 }),
  );
  await flow('read-only has nothing that writes', async () => {
    await say(sessionId, 'create other.txt with "x"');
    assert.equal(existsSync('other.txt'), false);
    await peer.request('session/set_mode', { sessionId, modeId: 'full' });
  });
  await flow('one prompt at a time, and session/cancel', async () => {
    const waiting = say(sessionId, 'run `sleep 30`');
    await assert.rejects(say(sessionId, 'help'), { code: -32600 });
    peer.notify('session/cancel', { sessionId });
    assert.equal((await waiting).stopReason, 'cancelled');
  });
  await flow('session/cancel while a permission is asked for', async () => {
    const [seen, answered] = [promise(), promise()];
    answerNext = () => {
      seen.keep();
      return answered.kept;
    };
    writeFileSync('kept.txt', 'kept');
    const waiting = say(sessionId, 'replace "kept" with "lost" in kept.txt');
    await seen.kept;
    peer.notify('session/cancel', { sessionId });
    answered.keep({ outcome: { outcome: 'cancelled' } });
    assert.equal((await waiting).stopReason, 'cancelled');
    assert.equal(readFileSync('kept.txt', 'utf8'), 'kept');
  });
  await flow('-32602 for wrong params', () =>
    assert.rejects(peer.request('session/new', { cwd: 7 }), { code: -32602 }),
  );
});
