/** A client as the structs and the flow of seed 002 describe it. */
import { readFileSync } from 'node:fs';
import { assert, openPeer, play } from '@parley/testing/dialect-peer';

const peer = openPeer();
const cwd = process.cwd();
const isTold = process.argv[2] === 'told';

peer.on('session/request_permission', ({ toolCall, options }) => {
  assert.deepEqual(Object.keys(toolCall), ['toolCallId', 'title', 'kind']);
  return { outcome: 'selected', optionId: options.find(({ kind }) => kind === 'allow_once').optionId };
});

play(async () => {
  const initialized = await peer.request('initialize', { protocolVersion: 1, clientCapabilities: {} });
  if (isTold) assert.deepEqual(initialized.agentCapabilities.mcp, { httpTransport: true, sseTransport: true });
  const session = await peer.request('session/new', { cwd, mcpServers: {} });
  assert.deepEqual(Object.keys(session), ['sessionId']);
  const { sessionId } = session;

  const prompt = [
    { type: 'text', text: 'create note.txt with "from go"' },
    { type: 'resourceLink', uri: `file://${cwd}/b.txt`, name: 'b.txt' },
  ];
  const answer = await peer.request('session/prompt', { sessionId, prompt });
  assert.deepEqual([answer.sessionId, answer.stopReason], [sessionId, 'end_turn']);
  assert.equal(readFileSync('note.txt', 'utf8').trim(), 'from go');
  const [call] = peer.updates.filter(({ kind }) => kind === 'tool_call');
  assert.equal(call.toolKind, 'edit');
  assert.ok(peer.updates.some(({ kind, status }) => kind === 'tool_call_update' && status === 'completed'));

  const waiting = peer.request('session/prompt', { sessionId, prompt: [{ type: 'text', text: 'run `sleep 30`' }] });
  peer.notify('session/cancel', { sessionId });
  assert.equal((await waiting).stopReason, 'cancelled');
  await peer.request('session/load', { sessionId, cwd });
  await assert.rejects(peer.request('session/load', { sessionId: 'nobody', cwd }), { code: -32003 });
});
