/** A client as seed 004 describes it: files and terminals of the agent are here. */
import { spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { assert, openPeer, play } from '@parley/testing/dialect-peer';

const peer = openPeer();
const cwd = process.cwd();
const asked = [];
const outputs = new Map();

peer.on('session/request_permission', ({ title, options, toolCall }) => {
  assert.equal(toolCall, undefined);
  asked.push(title);
  assert.ok(options.every(({ label }) => typeof label === 'string'));
  return { selectedOptionId: options.find(({ kind }) => kind === 'allow_once').optionId };
});
peer.on('fs/read_text_file', ({ path }) => ({ content: readFileSync(path, 'utf8') }));
peer.on('fs/write_text_file', ({ path, content }) => {
  writeFileSync(path, content);
  return null;
});
peer.on('terminal/create', ({ command, args = [], env = {} }) => {
  assert.equal(Array.isArray(env), false);
  const terminalId = `term_${outputs.size + 1}`;
  const isShell = args.length === 0;
  const { stdout, status } = spawnSync(command, args, { cwd, shell: isShell, env: { ...process.env, ...env } });
  outputs.set(terminalId, { output: String(stdout), exitCode: status });
  return { terminalId };
});
peer.on('terminal/output', ({ terminalId }) => outputs.get(terminalId));
peer.on('terminal/wait_for_exit', ({ terminalId }) => outputs.get(terminalId));
peer.on('terminal/kill', () => null);
peer.on('terminal/release', () => null);

play(async () => {
  writeFileSync('a.txt', 'one');
  const terminal = { create: true, output: true, waitForExit: true, kill: true, release: true };
  const { agentCapabilities, authenticationMethods } = await peer.request('initialize', {
    protocolVersion: 1,
    clientInfo: { name: 'Pharo IDE', version: '14.0' },
    clientCapabilities: { fs: { readTextFile: true, writeTextFile: true }, terminal },
  });
  assert.ok(authenticationMethods.every(({ methodId, title }) => methodId && title));
  assert.deepEqual(agentCapabilities.mcpCapabilities.supportedTransports, ['stdio', 'http', 'sse']);
  assert.deepEqual(
    agentCapabilities.sessionModes.map(({ modeId }) => modeId),
    ['code', 'architect', 'ask'],
  );
  const session = await peer.request('session/new', { cwd, mcpServers: [] });
  assert.deepEqual(Object.keys(session), ['sessionId']);
  const { sessionId } = session;
  const say = (text) => peer.request('session/prompt', { sessionId, prompt: [{ type: 'text', text }] });

  assert.equal((await say('replace "one" with "two" in a.txt')).stopReason, 'end_turn');
  assert.equal(readFileSync('a.txt', 'utf8'), 'two');
  assert.equal(asked.length, 1);
  assert.equal(await peer.request('session/set_mode', { sessionId, modeId: 'code' }), null);
  const option = { sessionId, option: 'autoApproveTools', value: true };
  assert.equal(await peer.request('session/set_config_option', option), null);
  assert.equal((await say('run `echo Hello Terminal`')).stopReason, 'end_turn');
  assert.equal(asked.length, 1);
  assert.ok([...outputs.values()].some(({ output }) => output.includes('Hello Terminal')));

  assert.ok(peer.updates.every(({ type, sessionUpdate }) => typeof type === 'string' && sessionUpdate === undefined));
  const said = peer.updates.filter(({ type, role }) => type === 'message' && role === 'agent');
  assert.ok(
    said
      .map(({ content }) => content[0].text)
      .join('')
      .includes('Hello Terminal'),
  );

  peer.updates.length = 0;
  assert.equal(await peer.request('session/load', { sessionId, mcpServers: [] }), null);
  assert.ok(peer.updates.some(({ type, role }) => type === 'message' && role === 'user'));
  await assert.rejects(peer.request('session/load', { sessionId: 'nobody', mcpServers: [] }), { code: -32005 });
});
