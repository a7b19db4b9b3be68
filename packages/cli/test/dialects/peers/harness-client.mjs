/** A client as acp-harness describes it, with an agent that works on real files. */
import { readFileSync } from 'node:fs';
import { assert, openPeer, play } from '@parley/testing/dialect-peer';

const peer = openPeer();
const cwd = process.cwd();
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
  assert.equal(initialized.agentCapabilities.promptCapabilities.image, true);
  const { sessionId } = await peer.request('session/new', { cwd, mcpServers: [] });

  const image = { type: 'image', source: { type: 'base64', mediaType: 'image/png', data: 'iVBORw0KGgo=' } };
  const prompt = [{ type: 'text', text: 'create note.txt with "from the harness"' }, image];
  const answer = await peer.request('session/prompt', { sessionId, prompt });
  assert.equal(readFileSync('note.txt', 'utf8').trim(), 'from the harness');
  const said = peer.updates.filter(({ sessionUpdate }) => sessionUpdate === 'agent_message_chunk');
  assert.equal(answer.content[0].text, said.map(({ content }) => content.text).join(''));
  const calls = peer.updates.filter(({ sessionUpdate }) => sessionUpdate === 'tool_call');
  assert.deepEqual(new Set(calls.map(({ status }) => status)), new Set(['pending', 'running', 'completed']));
  assert.equal(asked[0].toolCall, undefined);
  assert.match(asked[0].message, /note\.txt/);
  assert.ok(asked[0].options.some(({ kind }) => kind === 'deny'));

  const waiting = peer.request('session/prompt', {
    sessionId,
    prompt: [{ type: 'text', text: 'run `sleep 30`' }, image],
  });
  peer.notify('session/cancel', { sessionId });
  assert.equal((await waiting).stopReason, 'cancelled');

  peer.updates.length = 0;
  await peer.request('session/load', { sessionId });
  assert.ok(peer.updates.some(({ content }) => content?.text?.includes('Done')));
  await assert.rejects(peer.request('session/load', { sessionId: 'nobody' }), { code: -32602 });
});
