/** A client as acp-harness describes it (seed 000), with an agent that works on real files. */
import { readFileSync, writeFileSync } from 'node:fs';
import { assert, flow, openPeer, play } from '@parley/testing/dialect-peer';

const peer = openPeer();
const cwd = process.cwd();
const asked = [];
/** Recognised by its words only after its first prompt; told from the start with `--dialect`. */
const isTold = process.argv[2] === 'told';
const isAgain = process.argv[2] === 'again';

peer.on('session/request_permission', (params) => {
  asked.push(params);
  return { outcome: { outcome: 'selected', optionId: params.options[0].optionId } };
});

const text = (value) => ({ type: 'text', text: value });
const said = () => peer.updates.filter(({ sessionUpdate }) => sessionUpdate === 'agent_message_chunk');
const initialize = () =>
  peer.request('initialize', {
    protocolVersion: 1,
    clientInfo: { name: 'acp-harness', version: '1.0.0' },
    clientCapabilities: {},
  });

async function loadAgain() {
  await initialize();
  const sessionId = readFileSync(process.env.SESSION, 'utf8');
  await flow('session/load in another process', async () => {
    await peer.request('session/load', { sessionId });
    assert.ok(said().some(({ content }) => content.text.includes('Done')));
  });
  await flow('session/prompt after it, in the folder of the session', async () => {
    const { content } = await peer.request('session/prompt', { sessionId, prompt: [text('show note.txt')] });
    assert.match(content[0].text, /from the harness/);
  });
}

async function talk() {
  await flow('initialize', async () => {
    const { protocolVersion, agentInfo, agentCapabilities } = await initialize();
    assert.equal(protocolVersion, 1);
    assert.equal(typeof agentInfo.name, 'string');
    assert.equal(typeof agentInfo.version, 'string');
    assert.equal(agentCapabilities.loadSession, true);
    assert.equal(agentCapabilities.promptCapabilities.image, true);
  });
  const { sessionId } = await flow('session/new', () => peer.request('session/new', { cwd, mcpServers: [] }));
  writeFileSync('session.txt', sessionId);
  await flow('session/prompt', async () => {
    const prompt = [text('Hello, can you help me?')];
    const answer = await peer.request('session/prompt', { sessionId, prompt });
    if (isTold) assert.equal(answer.content[0].type, 'text');
    assert.ok(said().length > 0);
  });

  const image = { type: 'image', source: { type: 'base64', mediaType: 'image/png', data: 'iVBORw0KGgo=' } };
  await flow('an image, and an answer with content', async () => {
    peer.updates.length = 0;
    const prompt = [text('create note.txt with "from the harness"'), image];
    const answer = await peer.request('session/prompt', { sessionId, prompt });
    assert.equal(readFileSync('note.txt', 'utf8').trim(), 'from the harness');
    assert.equal(
      answer.content[0].text,
      said()
        .map(({ content }) => content.text)
        .join(''),
    );
  });
  await flow('session/update with the status of a tool call', () => {
    const calls = peer.updates.filter(({ sessionUpdate }) => sessionUpdate === 'tool_call');
    assert.deepEqual(new Set(calls.map(({ status }) => status)), new Set(['pending', 'running', 'completed']));
    assert.ok(calls.every(({ toolCallId, title }) => toolCallId && title));
    assert.equal(typeof calls[0].rawInput, 'object');
  });
  await flow('the four kinds of session/update', () => {
    const kinds = ['agent_thought_chunk', 'agent_message_chunk', 'tool_call', 'plan'];
    assert.deepEqual(
      peer.updates.filter(({ sessionUpdate }) => !kinds.includes(sessionUpdate)),
      [],
    );
  });
  await flow('session/request_permission', () => {
    assert.equal(asked[0].toolCall, undefined);
    assert.match(asked[0].message, /note\.txt/);
    assert.ok(asked[0].options.every(({ label }) => typeof label === 'string'));
    assert.ok(asked[0].options.some(({ kind }) => kind === 'deny'));
  });
  await flow('a plan', async () => {
    const prompt = [text('show note.txt, then run `true`'), image];
    await peer.request('session/prompt', { sessionId, prompt });
    const plans = peer.updates.filter(({ sessionUpdate }) => sessionUpdate === 'plan');
    assert.ok(plans.length > 0 && plans.every(({ entries }) => entries.length === 2));
  });
  await flow('session/cancel', async () => {
    const waiting = peer.request('session/prompt', { sessionId, prompt: [text('run `sleep 30`'), image] });
    peer.notify('session/cancel', { sessionId });
    assert.equal((await waiting).stopReason, 'cancelled');
  });
  await flow('session/load', async () => {
    peer.updates.length = 0;
    await peer.request('session/load', { sessionId });
    assert.ok(said().some(({ content }) => content.text.includes('Done')));
  });

  await flow('-32602 for a session that is not there', () =>
    assert.rejects(peer.request('session/load', { sessionId: 'nobody' }), { code: -32602 }),
  );
  await flow('-32601 for a method that is not there', () =>
    assert.rejects(peer.request('invalid/method', {}), ({ code, message }) => {
      return code === -32601 && message === 'Method not found: invalid/method';
    }),
  );
  await flow('-32602 for wrong params', () =>
    assert.rejects(peer.request('session/new', { cwd: 7 }), { code: -32602 }),
  );
  await flow('-32600 for what is no request', () =>
    assert.rejects(peer.send('{"jsonrpc":"2.0","id":"x","method":7}'), { code: -32600 }),
  );
  await flow('-32700 for what is no JSON', () => assert.rejects(peer.send('{"jsonrpc":'), { code: -32700 }));
  await flow('MCP servers with a type', async () => {
    const stdio = { type: 'stdio', name: 'filesystem', command: 'true', args: ['/data'] };
    const mcpServers = [{ ...stdio, env: [{ name: 'DEBUG', value: 'true' }] }];
    assert.equal(typeof (await peer.request('session/new', { cwd, mcpServers })).sessionId, 'string');
  });
}

play(isAgain ? loadAgain : talk);
