/** A client as seed 004 describes it. */
import { assert, openPeer, play } from '@parley/testing/dialect-peer';

const peer = openPeer();
const files = new Map([['/w/a.txt', 'one']]);
const terminals = [];

peer.on('session/request_permission', ({ title, description, options, toolCall }) => {
  assert.equal(toolCall, undefined);
  assert.equal(title, 'Edit a.txt');
  assert.equal(description, 'Adds a word.');
  assert.deepEqual(
    options.map(({ label }) => label),
    ['Allow', 'Always', 'Reject'],
  );
  return { selectedOptionId: options[0].optionId };
});
peer.on('fs/read_text_file', ({ path, startLine, lineLimit }) => {
  assert.deepEqual([startLine, lineLimit], [1, 100]);
  return { content: files.get(path) };
});
peer.on('fs/write_text_file', ({ path, content }) => {
  files.set(path, content);
  return null;
});
peer.on('terminal/create', ({ command, args, env }) => {
  terminals.push([command, args, env]);
  return { terminalId: 'term_xyz789' };
});
peer.on('terminal/output', () => ({ output: 'Hello ', exitCode: null }));
peer.on('terminal/wait_for_exit', () => ({ output: 'Hello Terminal\n', exitCode: 0 }));
peer.on('terminal/kill', () => null);
peer.on('terminal/release', () => null);

play(async () => {
  const terminal = { create: true, output: true, waitForExit: true, kill: true, release: true };
  const initialized = await peer.request('initialize', {
    protocolVersion: 1,
    clientInfo: { name: 'Pharo IDE', version: '14.0' },
    clientCapabilities: { fs: { readTextFile: true, writeTextFile: true }, terminal },
  });
  const { agentCapabilities, authenticationMethods } = initialized;
  assert.deepEqual(agentCapabilities.mcpCapabilities.supportedTransports, ['stdio', 'http']);
  assert.deepEqual(
    agentCapabilities.sessionModes.map(({ modeId, title }) => [modeId, title]),
    [
      ['full', 'Full'],
      ['safe', 'Safe'],
    ],
  );
  await assert.rejects(peer.request('session/new', { cwd: '/w', mcpServers: [] }), { code: -32001 });
  await assert.rejects(peer.request('authenticate', { methodId: 'magic' }), { code: -32002 });
  const { methodId } = authenticationMethods[0];
  assert.equal(await peer.request('authenticate', { methodId, credentials: { apiKey: 'secret_key_here' } }), null);

  const server = { transport: 'stdio', command: '/usr/local/bin/mcp-server', args: [], env: { API_KEY: 'secret' } };
  const session = await peer.request('session/new', { cwd: '/w', mcpServers: [server] });
  assert.deepEqual(Object.keys(session), ['sessionId']);
  const { sessionId } = session;
  assert.equal(await peer.request('session/set_mode', { sessionId, modeId: 'safe' }), null);
  assert.equal(
    await peer.request('session/set_config_option', { sessionId, option: 'autoApproveTools', value: true }),
    null,
  );

  const answer = await peer.request('session/prompt', { sessionId, prompt: [{ type: 'text', text: 'work' }] });
  assert.equal(answer.stopReason, 'end_turn');
  assert.equal(files.get('/w/a.txt'), 'one and two');
  assert.deepEqual(terminals, [['npm', ['test'], { CI: '1' }]]);
  assert.ok(peer.updates.every(({ type, sessionUpdate }) => typeof type === 'string' && sessionUpdate === undefined));
  const said = peer.updates.filter(({ type, role }) => type === 'message' && role === 'agent');
  assert.equal(said.map(({ content }) => content[0].text).join(''), 'Done: Hello Terminal\n');
  const calls = peer.updates.filter(({ toolCallId }) => toolCallId === 'call-1');
  assert.deepEqual(calls[0].location, { path: '/w/a.txt', line: 1 });
  assert.equal(calls.at(-1).content[0].type, 'diff');

  const waiting = peer.request('session/prompt', { sessionId, prompt: [{ type: 'text', text: 'wait' }] });
  peer.notify('session/cancel', { sessionId });
  assert.equal((await waiting).stopReason, 'cancelled');
  peer.updates.length = 0;
  assert.equal(await peer.request('session/load', { sessionId, mcpServers: [] }), null);
  assert.ok(peer.updates.length > 0);
  await assert.rejects(peer.request('session/load', { sessionId: 'nobody', mcpServers: [] }), { code: -32005 });
});
