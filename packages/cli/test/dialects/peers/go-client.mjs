/** A client as the structs and the flow of seed 002 describe it. */
import { readFileSync } from 'node:fs';
import { assert, flow, openPeer, play } from '@parley/testing/dialect-peer';

const peer = openPeer();
const cwd = process.cwd();
const isTold = process.argv[2] === 'told';
const asked = [];

peer.on('session/request_permission', (params) => {
  asked.push(params);
  return { outcome: 'selected', optionId: params.options.find(({ kind }) => kind === 'allow_once').optionId };
});

const text = (value) => ({ type: 'text', text: value });

play(async () => {
  await flow('initialize', async () => {
    const initialized = await peer.request('initialize', {
      protocolVersion: 1,
      clientInfo: { name: 'go-client', version: '1' },
      clientCapabilities: {},
    });
    assert.equal(initialized.protocolVersion, 1);
    const { loadSession, mcp, promptCapabilities } = initialized.agentCapabilities;
    assert.equal(loadSession, true);
    // Nothing has shown the dialect before this answer, unless it is configured.
    if (isTold) assert.deepEqual(mcp, { httpTransport: true, sseTransport: true });
    if (isTold) assert.deepEqual(promptCapabilities.content, ['text', 'image', 'audio', 'embeddedContext']);
  });
  const { sessionId } = await flow('session/new with servers as a map', async () => {
    const session = await peer.request('session/new', { cwd, mcpServers: {} });
    assert.deepEqual(Object.keys(session), ['sessionId']);
    return session;
  });
  await flow('MCP servers of every kind', async () => {
    const mcpServers = { filesystem: { type: 'stdio', command: 'true', args: ['--stdio'], env: {} } };
    assert.equal(typeof (await peer.request('session/new', { cwd, mcpServers })).sessionId, 'string');
  });
  await flow('session/prompt with a resourceLink', async () => {
    const link = { type: 'resourceLink', uri: `file://${cwd}/b.txt`, name: 'b.txt', size: 3 };
    const prompt = [text('create note.txt with "from go"'), link];
    const answer = await peer.request('session/prompt', { sessionId, prompt });
    assert.deepEqual([answer.sessionId, answer.stopReason], [sessionId, 'end_turn']);
    assert.equal(readFileSync('note.txt', 'utf8').trim(), 'from go');
  });
  await flow('text chunks', () =>
    assert.ok(
      peer.updates.some(({ sessionUpdate, content }) => sessionUpdate === 'agent_message_chunk' && content.text),
    ),
  );
  await flow('tool_call and its updates', () => {
    const calls = peer.updates.filter(({ toolCallId }) => toolCallId);
    const [call] = calls;
    assert.deepEqual([call.kind, call.toolKind, typeof call.input], ['tool_call', 'edit', 'object']);
    assert.ok(calls.every(({ kind, status }) => kind.startsWith('tool_call') && status));
    assert.deepEqual([...new Set(calls.map(({ status }) => status))], ['pending', 'in_progress', 'completed']);
    assert.ok(calls.some(({ output = [] }) => output.some(({ type, newContent }) => type === 'diff' && newContent)));
  });
  await flow('session/request_permission, and an answer without the nesting', () => {
    assert.deepEqual(Object.keys(asked[0].toolCall), ['toolCallId', 'title', 'kind']);
    assert.ok(asked[0].options.every(({ optionId, name, kind }) => optionId && name && kind));
  });
  await flow('every prompt content', async () => {
    const prompt = [
      text('help'),
      { type: 'image', data: 'iVBORw0KGgo=', mimeType: 'image/png' },
      { type: 'audio', data: 'UklGRg==', mimeType: 'audio/wav' },
      { type: 'resource', uri: `file://${cwd}/b.txt`, text: 'b' },
    ];
    assert.equal((await peer.request('session/prompt', { sessionId, prompt })).stopReason, 'end_turn');
  });
  await flow('a plan with its steps', async () => {
    await peer.request('session/prompt', { sessionId, prompt: [text('show note.txt, then run `true`')] });
    const plans = peer.updates.flatMap(({ plan }) => (plan ? [plan] : []));
    assert.ok(plans.length > 0);
    for (const { description, steps } of plans) {
      assert.equal(typeof description, 'string');
      assert.ok(steps.length === 2 && steps.every((step) => typeof step === 'string'));
    }
  });
  await flow('session/cancel', async () => {
    const waiting = peer.request('session/prompt', { sessionId, prompt: [text('run `sleep 30`')] });
    peer.notify('session/cancel', { sessionId });
    assert.equal((await waiting).stopReason, 'cancelled');
  });
  await flow('session/load, with the conversation before the answer', async () => {
    peer.updates.length = 0;
    await peer.request('session/load', { sessionId, cwd, mcpServers: {} });
    assert.ok(peer.updates.some(({ sessionUpdate }) => sessionUpdate === 'user_message_chunk'));
  });
  await flow('session/load without servers', () => peer.request('session/load', { sessionId, cwd }));
  await flow('-32003 for a session that is not there', () =>
    assert.rejects(peer.request('session/load', { sessionId: 'nobody', cwd }), { code: -32003 }),
  );
  await flow('-32601 and -32602', async () => {
    await assert.rejects(peer.request('invalid/method', {}), { code: -32601 });
    await assert.rejects(peer.request('session/new', { cwd: 7, mcpServers: {} }), { code: -32602 });
  });
});
