/** A client as seed 004 describes it, on stdio, a WebSocket or plain POST: files and terminals of the agent are here. */
import { spawn } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { assert, flow, openPeer, play, promise } from '@parley/testing/dialect-peer';

const peer = openPeer();
const cwd = process.cwd();
const asked = [];
const reads = [];
const terminals = new Map();
/** The ids that the agent has killed and released. */
const [killed, released] = [[], []];
const [started, allReleased] = [promise(), promise()];

peer.on('session/request_permission', ({ title, options, toolCall }) => {
  assert.equal(toolCall, undefined);
  asked.push(title);
  assert.ok(options.every(({ label }) => typeof label === 'string'));
  return { selectedOptionId: options.find(({ kind }) => kind === 'allow_once').optionId };
});
peer.on('fs/read_text_file', (params) => {
  reads.push(params);
  const { path, startLine = 1, lineLimit } = params;
  const lines = readFileSync(path, 'utf8')
    .split('\n')
    .slice(startLine - 1);
  return { content: lines.slice(0, lineLimit ?? lines.length).join('\n') };
});
peer.on('fs/write_text_file', ({ path, content }) => {
  writeFileSync(path, content);
  return null;
});
peer.on('terminal/create', ({ command, args = [], env = {} }) => {
  assert.equal(Array.isArray(env), false);
  const terminalId = `term_${terminals.size + 1}`;
  const child = spawn(command, args, { cwd, shell: args.length === 0, env: { ...process.env, ...env } });
  const exited = promise();
  const terminal = { child, exited, output: '', exitCode: null };
  for (const stream of [child.stdout, child.stderr]) {
    stream.on('data', (chunk) => {
      terminal.output += chunk;
    });
  }
  child.on('close', (code) => {
    terminal.exitCode = code ?? 143;
    exited.keep();
  });
  terminals.set(terminalId, terminal);
  if ([command, ...args].join(' ').includes('sleep')) started.keep();
  return { terminalId };
});
const outputOf = ({ terminalId }) => {
  const { output, exitCode } = terminals.get(terminalId);
  return { output, exitCode };
};
peer.on('terminal/output', outputOf);
peer.on('terminal/wait_for_exit', async (params) => {
  await terminals.get(params.terminalId).exited.kept;
  return outputOf(params);
});
peer.on('terminal/kill', ({ terminalId }) => {
  killed.push(terminalId);
  terminals.get(terminalId).child.kill();
  return null;
});
peer.on('terminal/release', ({ terminalId }) => {
  released.push(terminalId);
  if (killed.length > 0) allReleased.keep();
  return null;
});

const text = (value) => ({ type: 'text', text: value });
/** On plain POST only answers come back: the document has no way for anything else. */
const hearsAgent = !process.env.ADDRESS?.startsWith('http+post');
const initialize = () => {
  const terminal = { create: true, output: true, waitForExit: true, kill: true, release: true };
  return peer.request('initialize', {
    protocolVersion: 1,
    clientInfo: { name: 'Pharo IDE', version: '14.0' },
    clientCapabilities: { fs: { readTextFile: true, writeTextFile: true }, terminal },
  });
};

async function loadAgain() {
  await initialize();
  const sessionId = readFileSync(process.env.SESSION, 'utf8');
  await flow('session/load in another process, by the id alone', async () => {
    assert.equal(await peer.request('session/load', { sessionId, mcpServers: [] }), null);
    if (hearsAgent) assert.ok(peer.updates.some(({ type, role }) => type === 'message' && role === 'user'));
  });
  await flow('session/prompt after it, in the folder of the session', async () => {
    const prompt = [text(hearsAgent ? 'show a.txt' : 'help')];
    assert.equal((await peer.request('session/prompt', { sessionId, prompt })).stopReason, 'end_turn');
    const paths = hearsAgent ? [join(dirname(process.env.SESSION), 'a.txt')] : [];
    assert.deepEqual(
      reads.map(({ path }) => path),
      paths,
    );
  });
}

async function talk() {
  writeFileSync('a.txt', 'one');
  writeFileSync('long.txt', Array.from({ length: 50 }, (_, at) => `line ${at + 1}`).join('\n'));
  const { authenticationMethods } = await flow('initialize', async () => {
    const initialized = await initialize();
    const { protocolVersion, agentInfo, agentCapabilities, authenticationMethods: methods } = initialized;
    assert.deepEqual([protocolVersion, typeof agentInfo.name], [1, 'string']);
    assert.ok(methods.every(({ methodId, title }) => methodId && title));
    const { _meta, ...content } = agentCapabilities.promptCapabilities;
    assert.deepEqual(content, { image: true, audio: true, embeddedContext: true });
    assert.deepEqual(agentCapabilities.mcpCapabilities.supportedTransports, ['stdio', 'http', 'sse']);
    assert.deepEqual(
      agentCapabilities.sessionModes.map(({ modeId }) => modeId),
      ['code', 'architect', 'ask'],
    );
    return initialized;
  });
  await flow('authenticate with credentials: null or -32001', async () => {
    const [{ methodId }] = authenticationMethods;
    const login = (credentials) => peer.request('authenticate', { methodId, credentials }).catch(({ code }) => code);
    assert.ok([null, -32001].includes(await login({ apiKey: 'secret_key_here' })));
    assert.equal(await login({}), -32001);
  });
  await flow('-32002 for a method that is not there', () =>
    assert.rejects(peer.request('authenticate', { methodId: 'nobody', credentials: {} }), { code: -32002 }),
  );
  const { sessionId } = await flow('session/new', async () => {
    const session = await peer.request('session/new', { cwd, mcpServers: [] });
    assert.deepEqual(Object.keys(session), ['sessionId']);
    return session;
  });
  writeFileSync('session.txt', sessionId);
  const say = (value, ...more) => peer.request('session/prompt', { sessionId, prompt: [text(value), ...more] });

  await flow('an MCP server with a transport and a map of variables', async () => {
    const mcpServers = [{ transport: 'stdio', command: 'true', args: ['--verbose'], env: { API_KEY: 'secret' } }];
    assert.ok((await peer.request('session/new', { cwd, mcpServers })).sessionId);
  });
  await flow('session/prompt with an embedded resource', async () => {
    const resource = { uri: `file://${cwd}/login.js`, text: '// file contents...' };
    assert.equal((await say('help', { type: 'resource', resource })).stopReason, 'end_turn');
  });
  await flow('every content block, with annotations', async () => {
    const annotations = { title: 'Screenshot', priority: 'high', _custom: 'custom metadata' };
    const answer = await say(
      'help',
      { type: 'image', mimeType: 'image/png', data: 'iVBORw0KGgo=', uri: 'file:///w/i.png', annotations },
      { type: 'audio', mimeType: 'audio/wav', data: 'UklGRg==' },
      { type: 'resource', resource: { uri: 'file:///w/i.png', mimeType: 'image/png', blob: 'iVBORw0KGgo=' } },
      { type: 'resource_link', uri: 'file:///w/d.pdf', name: 'Documentation', mimeType: 'application/pdf', size: 1 },
    );
    assert.equal(answer.stopReason, 'end_turn');
  });
  await flow('session/set_mode', async () => {
    assert.equal(await peer.request('session/set_mode', { sessionId, modeId: 'code' }), null);
    await assert.rejects(peer.request('session/set_mode', { sessionId, modeId: 'yolo' }));
  });
  if (hearsAgent) await work(sessionId, say);
  await flow('session/load', async () => {
    peer.updates.length = 0;
    assert.equal(await peer.request('session/load', { sessionId, mcpServers: [] }), null);
    if (hearsAgent) assert.ok(peer.updates.some(({ type, role }) => type === 'message' && role === 'user'));
  });
  await flow('-32005 for a session that is not there', () =>
    assert.rejects(peer.request('session/load', { sessionId: 'nobody', mcpServers: [] }), { code: -32005 }),
  );
  await flow('-32601 and -32602', async () => {
    await assert.rejects(peer.request('invalid/method', {}), { code: -32601 });
    await assert.rejects(peer.request('session/new', { cwd: 7, mcpServers: [] }), { code: -32602 });
  });
}

async function work(sessionId, say) {
  await flow('fs/read_text_file and fs/write_text_file, with a permission', async () => {
    assert.equal((await say('replace "one" with "two" in a.txt')).stopReason, 'end_turn');
    assert.equal(readFileSync('a.txt', 'utf8'), 'two');
    assert.equal(asked.length, 1);
  });
  await flow('fs/read_text_file with startLine and lineLimit', async () => {
    reads.length = 0;
    await say('show lines 2-3 of long.txt');
    assert.deepEqual(
      reads.map(({ startLine, lineLimit }) => [startLine, lineLimit]),
      [[2, 2]],
    );
  });
  await flow('tool_call and tool_call_update, tagged with their type', () => {
    const calls = peer.updates.filter(({ toolCallId }) => toolCallId);
    assert.ok(calls[0].title && calls[0].kind && calls[0].status);
    assert.ok(calls.every(({ type }) => type === 'tool_call' || type === 'tool_call_update'));
    const items = calls.flatMap(({ content = [] }) => content);
    assert.ok(items.some(({ type, oldText, newText }) => type === 'diff' && oldText === 'one' && newText === 'two'));
  });
  await flow('session/set_config_option', async () => {
    const option = { sessionId, option: 'autoApproveTools', value: true };
    assert.equal(await peer.request('session/set_config_option', option), null);
  });
  await flow('terminals', async () => {
    assert.equal((await say('run `echo Hello Terminal`')).stopReason, 'end_turn');
    assert.equal(asked.length, 1);
    const [[terminalId, { output }]] = terminals;
    assert.match(output, /Hello Terminal/);
    assert.deepEqual(released, [terminalId]);
  });
  await flow('messages with a role', () => {
    assert.ok(peer.updates.every(({ type, sessionUpdate }) => typeof type === 'string' && sessionUpdate === undefined));
    const said = peer.updates.filter(({ type, role }) => type === 'message' && role === 'agent');
    assert.ok(
      said
        .map(({ content }) => content[0].text)
        .join('')
        .includes('Hello Terminal'),
    );
  });
  await flow('current_mode_update', async () => {
    assert.equal(await peer.request('session/set_mode', { sessionId, modeId: 'architect' }), null);
    assert.equal(await peer.request('session/set_mode', { sessionId, modeId: 'code' }), null);
    const told = peer.updates.filter(({ type }) => type === 'current_mode_update').map(({ modeId }) => modeId);
    assert.deepEqual(told.slice(-2), ['architect', 'code']);
  });
  await flow('session/cancel, which kills the process of the terminal', async () => {
    const waiting = say('run `sleep 30`');
    await started.kept;
    peer.notify('session/cancel', { sessionId });
    assert.equal((await waiting).stopReason, 'cancelled');
    // A terminal whose creation met the cancellation is given back after the turn.
    await allReleased.kept;
    assert.deepEqual(released, [...terminals.keys()]);
    await terminals.get(killed[0]).exited.kept;
  });
}

play(process.argv[2] === 'again' ? loadAgain : talk);
