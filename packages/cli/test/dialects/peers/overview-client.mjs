/** A client as seed 001 describes it: the agent's files are read and written here. */
import { readFileSync, writeFileSync } from 'node:fs';
import { assert, flow, openPeer, play } from '@parley/testing/dialect-peer';

const peer = openPeer();
const cwd = process.cwd();
const isTold = process.argv[2] === 'told';
const asked = [];
const reads = [];

peer.on('session/request_permission', (params) => {
  asked.push(params);
  const { optionId } = params.options.find(({ kind }) => kind === 'allow_once');
  return { outcome: { outcome: 'selected', optionId } };
});
peer.on('fs/read_text_file', (params) => {
  reads.push(params);
  const { path, line = 1, limit } = params;
  const lines = readFileSync(path, 'utf8')
    .split('\n')
    .slice(line - 1);
  return { content: lines.slice(0, limit ?? lines.length).join('\n') };
});
peer.on('fs/write_text_file', ({ path, content }) => {
  writeFileSync(path, content);
  return null;
});

const text = (value) => ({ type: 'text', text: value });
const STATUSES = new Set(['pending', 'in_progress', 'completed']);
const calls = () => peer.updates.filter(({ toolCallId }) => toolCallId);

play(async () => {
  writeFileSync('a.txt', 'one');
  writeFileSync('long.txt', Array.from({ length: 50 }, (_, at) => `line ${at + 1}`).join('\n'));
  const { authMethods = [] } = await flow('initialize', async () => {
    const clientCapabilities = { fs: { readTextFile: true, writeTextFile: true } };
    const initialized = await peer.request('initialize', { protocolVersion: 1, clientCapabilities });
    const { protocolVersion, agentCapabilities, agentInfo } = initialized;
    assert.equal(protocolVersion, 1);
    assert.equal(agentCapabilities.loadSession, true);
    const { _meta, ...content } = agentCapabilities.promptCapabilities;
    assert.deepEqual(content, { image: true, audio: true, embeddedContext: true });
    if (isTold) assert.equal(agentInfo, undefined);
    return initialized;
  });
  await flow('authenticate: an error that says how to log in, as there is no key', async () => {
    const [method] = authMethods;
    const failed = await peer.request('authenticate', { methodId: method.id }).then(
      () => assert.fail('There is no key to log in with.'),
      (error) => error,
    );
    assert.equal(failed.code, isTold ? -32603 : -32000);
    assert.match(failed.message, /API_KEY/);
  });
  const { sessionId } = await flow('session/new', async () => {
    const session = await peer.request('session/new', { cwd, mcpServers: [] });
    if (isTold) assert.deepEqual(Object.keys(session), ['sessionId']);
    return session;
  });
  const say = (...prompt) => peer.request('session/prompt', { sessionId, prompt });

  await flow('session/prompt, with a file that is read and written by the client', async () => {
    const answer = await say(text('replace "one" with "two" in a.txt'));
    assert.equal(answer.stopReason, 'end_turn');
    assert.equal(readFileSync('a.txt', 'utf8'), 'two');
  });
  await flow('tool_call and tool_call_update', () => {
    const [first] = calls();
    assert.equal(first.sessionUpdate, 'tool_call');
    assert.ok(first.title && first.kind && first.status);
    assert.ok(first.locations?.every(({ path }) => path.startsWith('/')) ?? true);
    assert.equal(calls().at(-1).status, 'completed');
    const items = calls().flatMap(({ content = [] }) => content ?? []);
    assert.ok(items.some((item) => item.type === 'diff' && item.oldText === 'one' && item.newText === 'two'));
  });
  await flow('session/request_permission', () => {
    const [{ toolCall, options }] = asked;
    assert.equal(typeof toolCall.toolCallId, 'string');
    assert.ok(options.every(({ optionId, name, kind }) => optionId && name && kind));
  });
  await flow('fs/read_text_file with line and limit', async () => {
    reads.length = 0;
    await say(text('show lines 2-3 of long.txt'));
    assert.deepEqual(
      reads.map(({ line, limit }) => ({ line, limit })),
      [{ line: 2, limit: 2 }],
    );
  });
  await flow('every content block', async () => {
    const uri = `file://${cwd}/a.txt`;
    const answer = await say(
      text('help'),
      { type: 'image', data: 'iVBORw0KGgo=', mimeType: 'image/png' },
      { type: 'audio', data: 'UklGRg==', mimeType: 'audio/wav' },
      { type: 'resource_link', uri, name: 'a.txt', mimeType: 'text/plain', title: 'A', description: 'a', size: 3 },
      { type: 'resource', resource: { uri, text: 'two', mimeType: 'text/plain' }, annotations: {} },
    );
    assert.equal(answer.stopReason, 'end_turn');
  });
  await flow('plan', async () => {
    await say(text('show a.txt, then run `true`'));
    const plans = peer.updates.filter(({ sessionUpdate }) => sessionUpdate === 'plan');
    const entries = plans.flatMap((plan) => plan.entries);
    assert.ok(entries.every(({ content, priority }) => content && ['high', 'medium', 'low'].includes(priority)));
    assert.deepEqual(new Set(entries.map(({ status }) => status)), STATUSES);
  });
  await flow('session/cancel', async () => {
    const waiting = say(text('run `sleep 30`'));
    peer.notify('session/cancel', { sessionId });
    assert.equal((await waiting).stopReason, 'cancelled');
  });
  await flow('session/load, with the conversation before a null', async () => {
    peer.updates.length = 0;
    // By now the null that this client answers with has told what it speaks.
    assert.equal(await peer.request('session/load', { sessionId, cwd, mcpServers: [] }), null);
    for (const kind of ['user_message_chunk', 'agent_message_chunk']) {
      assert.ok(peer.updates.some(({ sessionUpdate }) => sessionUpdate === kind));
    }
  });
  await flow('sessions at the same time', async () => {
    const other = await peer.request('session/new', { cwd, mcpServers: [] });
    const both = [sessionId, other.sessionId].map((id) =>
      peer.request('session/prompt', { sessionId: id, prompt: [text('help')] }),
    );
    assert.deepEqual(
      (await Promise.all(both)).map(({ stopReason }) => stopReason),
      ['end_turn', 'end_turn'],
    );
  });
});
