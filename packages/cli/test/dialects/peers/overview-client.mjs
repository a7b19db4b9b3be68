/** A client as seed 001 describes it: the agent's files are read and written here. */
import { readFileSync, writeFileSync } from 'node:fs';
import { assert, openPeer, play } from '@parley/testing/dialect-peer';

const peer = openPeer();
const cwd = process.cwd();
const isTold = process.argv[2] === 'told';

peer.on('session/request_permission', ({ options }) => {
  return { outcome: { outcome: 'selected', optionId: options.find(({ kind }) => kind === 'allow_once').optionId } };
});
peer.on('fs/read_text_file', ({ path }) => ({ content: readFileSync(path, 'utf8') }));
peer.on('fs/write_text_file', ({ path, content }) => {
  writeFileSync(path, content);
  return null;
});

play(async () => {
  writeFileSync('a.txt', 'one');
  const clientCapabilities = { fs: { readTextFile: true, writeTextFile: true } };
  const initialized = await peer.request('initialize', { protocolVersion: 1, clientCapabilities });
  assert.equal(initialized.agentCapabilities.loadSession, true);
  if (isTold) assert.equal(initialized.agentInfo, undefined);
  const session = await peer.request('session/new', { cwd, mcpServers: [] });
  if (isTold) assert.deepEqual(Object.keys(session), ['sessionId']);
  const { sessionId } = session;

  const prompt = [{ type: 'text', text: 'replace "one" with "two" in a.txt' }];
  const answer = await peer.request('session/prompt', { sessionId, prompt });
  assert.equal(answer.stopReason, 'end_turn');
  assert.equal(readFileSync('a.txt', 'utf8'), 'two');
  const calls = peer.updates.filter(({ toolCallId }) => toolCallId);
  assert.equal(calls.at(-1).status, 'completed');

  const waiting = peer.request('session/prompt', { sessionId, prompt: [{ type: 'text', text: 'run `sleep 30`' }] });
  peer.notify('session/cancel', { sessionId });
  assert.equal((await waiting).stopReason, 'cancelled');
  peer.updates.length = 0;
  // By now the null that this client answers with has told what it speaks.
  assert.equal(await peer.request('session/load', { sessionId, cwd, mcpServers: [] }), null);
  assert.ok(peer.updates.some(({ sessionUpdate }) => sessionUpdate === 'user_message_chunk'));
});
