import { fileURLToPath } from 'node:url';
import { type DialectName, type DialectOptions, dialectOf, withDialect } from '@parley/dialects';
import { spawnProcess } from '@parley/transports/process';
import { describe, expect, it } from 'vitest';
import { serveOurAgent } from './our-agent.ts';
import { openOurClient } from './our-client.ts';

type Framing = 'newline' | 'content-length' | 'auto';

/** Starts a program that speaks a dialect of its own accord. */
function spawnPeer(name: string, framing: Framing = 'newline') {
  const script = fileURLToPath(new URL(`./peers/${name}.mjs`, import.meta.url));
  return spawnProcess({ command: process.execPath, args: [script], recordsDir: false, framing });
}

async function connectTo(
  dialect: DialectName | 'auto',
  name: string,
  more: Omit<Partial<DialectOptions>, 'framing'> & { framing?: Framing } = {},
) {
  const { framing, ...options } = more;
  const transport = withDialect(await spawnPeer(name, framing), { ...options, dialect });
  return { ...openOurClient(transport), transport };
}

const clientParams = {
  protocolVersion: 1,
  clientInfo: { name: 'ours', version: '1' },
  clientCapabilities: { fs: { readTextFile: true, writeTextFile: true }, terminal: true },
};
const stdio = (env: object[] = []) => ({ name: 'fs', command: '/bin/mcp', args: [], env });
const link = { type: 'resource_link', uri: 'file:///w/a.txt', name: 'a.txt' };
const image = { type: 'image', data: 'iVBORw0KGgo=', mimeType: 'image/png' };
const text = (value: string) => ({ type: 'text', text: value });
const tagsOf = (updates: readonly Record<string, unknown>[]) => updates.map(({ sessionUpdate }) => sessionUpdate);
const textOf = (updates: readonly Record<string, unknown>[]) =>
  updates
    .filter(({ sessionUpdate }) => sessionUpdate === 'agent_message_chunk')
    .map(({ content }) => (content as { text: string }).text)
    .join('');

describe('our client over a pipe', () => {
  it.each(['harness', 'auto'] as const)('works with an agent of harness (configured: %s)', async (dialect) => {
    const client = await connectTo(dialect, 'harness-agent');
    const { agentCapabilities } = await client.ask('initialize', clientParams);
    expect(agentCapabilities).toMatchObject({ loadSession: true, promptCapabilities: { image: true, audio: false } });
    // Until the agent has shown its dialect, `auto` writes canonical words; a harness agent wants the type.
    const server = dialect === 'auto' ? { type: 'stdio', ...stdio() } : stdio();
    const { sessionId } = await client.ask('session/new', { cwd: '/w', mcpServers: [server] });
    const foreignPrompt = [text('work'), { type: 'image', source: { mediaType: 'image/png' } }, text('[a.txt](x)')];
    const prompt = dialect === 'auto' ? foreignPrompt : [text('work'), image, link];
    const { stopReason } = await client.ask('session/prompt', { sessionId, prompt });
    expect(stopReason).toBe('end_turn');
    expect(textOf(client.updates)).toBe('Of course! How can I assist you today?');
    expect(tagsOf(client.updates).slice(0, 5)).toEqual([
      'agent_thought_chunk',
      'plan',
      'tool_call',
      'tool_call_update',
      'tool_call_update',
    ]);
    expect(client.updates.slice(2, 5).map(({ status }) => status)).toEqual(['pending', 'in_progress', 'completed']);
    expect(client.questions[0]).toMatchObject({
      toolCall: { toolCallId: 'tool_123', title: 'Allow reading /etc/passwd?' },
      options: [{ name: 'Allow this action' }, { kind: 'allow_always' }, { kind: 'reject_once' }],
    });
    expect(dialectOf(client.transport)).toMatchObject({ dialect: 'harness', isCertain: true });

    const waiting = client.ask('session/prompt', { sessionId, prompt: [text('wait')] });
    client.cancel(sessionId);
    expect((await waiting).stopReason).toBe('cancelled');
    client.updates.length = 0;
    await client.ask('session/load', { sessionId, cwd: '/w', mcpServers: [] });
    expect(textOf(client.updates)).toBe('Welcome back.');
    await expect(client.ask('session/set_mode', { sessionId, modeId: 'x' })).rejects.toMatchObject({ code: -32601 });
    await client.connection.close();
  });

  it('works with an agent of overview', async () => {
    const client = await connectTo('overview', 'overview-agent');
    const { authMethods } = await client.ask('initialize', clientParams);
    expect(await client.ask('authenticate', { methodId: authMethods?.[0]?.id })).toEqual({});
    const { sessionId } = await client.ask('session/new', { cwd: '/w', mcpServers: [stdio()] });
    expect(await client.ask('session/prompt', { sessionId, prompt: [text('work'), link] })).toEqual({
      stopReason: 'end_turn',
    });
    expect(tagsOf(client.updates)).toEqual(['plan', 'tool_call', 'tool_call_update', 'agent_message_chunk']);
    expect(client.files.get('/w/a.txt')).toBe('one!');
    const waiting = client.ask('session/prompt', { sessionId, prompt: [text('wait')] });
    client.cancel(sessionId);
    expect(await waiting).toEqual({ stopReason: 'cancelled' });
    expect(await client.ask('session/load', { sessionId, cwd: '/w', mcpServers: [] })).toEqual({});
    expect(tagsOf(client.updates).slice(-2)).toEqual(['user_message_chunk', 'agent_message_chunk']);
    await client.connection.close();
  });

  it.each(['go', 'auto'] as const)('works with an agent of go (configured: %s)', async (dialect) => {
    const client = await connectTo(dialect, 'go-agent');
    const { agentCapabilities } = await client.ask('initialize', clientParams);
    expect(agentCapabilities).toMatchObject({
      promptCapabilities: { image: true, audio: false, embeddedContext: false },
      mcpCapabilities: { http: true, sse: false },
    });
    expect(dialectOf(client.transport)).toMatchObject({ dialect: 'go', isCertain: true });
    const { sessionId } = await client.ask('session/new', { cwd: '/w', mcpServers: [stdio()] });
    expect((await client.ask('session/prompt', { sessionId, prompt: [text('work'), link] })).stopReason).toBe(
      'end_turn',
    );
    expect(tagsOf(client.updates)).toEqual([
      'agent_message_chunk',
      'plan',
      'tool_call',
      'tool_call_update',
      'tool_call_update',
      'agent_message_chunk',
    ]);
    expect(client.updates[2]).toMatchObject({ kind: 'execute', rawInput: { a: 1 }, status: 'pending' });
    expect(client.updates[4]).toMatchObject({
      content: [{ type: 'content' }, { type: 'diff', oldText: null, newText: 'new' }],
    });
    await client.ask('session/prompt', { sessionId, prompt: [text('quietly')] });
    expect(client.updates.at(-1)).toMatchObject({ content: text('In short.') });
    const waiting = client.ask('session/prompt', { sessionId, prompt: [text('wait')] });
    client.cancel(sessionId);
    expect((await waiting).stopReason).toBe('cancelled');
    await client.ask('session/load', { sessionId, cwd: '/w', mcpServers: [stdio()] });
    expect(client.updates.slice(-2)).toMatchObject([
      { sessionUpdate: 'user_message_chunk', content: text('Hi') },
      { sessionUpdate: 'tool_call', status: 'failed' },
    ]);
    await client.connection.close();
  });

  it.each(['newline', 'content-length'] as const)('works with an agent of elephant in %s framing', async (framing) => {
    const client = await connectTo('elephant', 'elephant-agent', { framing });
    await client.ask('initialize', clientParams);
    expect(await client.ask('authenticate', { methodId: 'any' })).toEqual({});
    const { sessionId, modes } = await client.ask('session/new', { cwd: '/w', mcpServers: [stdio()] });
    expect(modes?.availableModes.map(({ id }) => id)).toEqual(['full', 'read-only', 'safe', 'sandbox']);
    expect(await client.ask('session/prompt', { sessionId, prompt: [text('work')] })).toEqual({
      stopReason: 'max_turn_requests',
    });
    expect(textOf(client.updates)).toBe('Grüße');
    expect(await client.ask('session/set_mode', { sessionId, modeId: 'safe' })).toEqual({});
    expect(client.updates.at(-1)).toMatchObject({ currentModeId: 'safe' });
    await expect(client.ask('session/set_mode', { sessionId, modeId: 'yolo' })).rejects.toMatchObject({ code: -32602 });
    const http = { type: 'http', name: 'api', url: 'https://x.test/', headers: [] };
    await expect(client.ask('session/new', { cwd: '/w', mcpServers: [http] })).rejects.toMatchObject({ code: -32602 });

    const waiting = client.ask('session/prompt', { sessionId, prompt: [text('wait')] });
    await expect(client.ask('session/prompt', { sessionId, prompt: [text('more')] })).rejects.toMatchObject({
      code: -32600,
    });
    await expect.poll(() => client.questions).toHaveLength(1);
    client.cancel(sessionId);
    expect(await waiting).toEqual({ stopReason: 'cancelled' });
    expect((await client.ask('session/load', { sessionId, cwd: '/w', mcpServers: [] })).modes?.currentModeId).toBe(
      'full',
    );
    await client.connection.close();
  });

  it('works with an agent of pharo', async () => {
    let apiKey = 'wrong';
    const client = await connectTo('pharo', 'pharo-agent', { giveCredentials: () => ({ apiKey }) });
    const { authMethods, agentCapabilities } = await client.ask('initialize', clientParams);
    expect(authMethods).toMatchObject([{ id: 'api_key', name: 'API Key' }]);
    expect(agentCapabilities?.mcpCapabilities).toMatchObject({ http: true, sse: false });
    await expect(client.ask('authenticate', { methodId: 'magic' })).rejects.toMatchObject({ code: -32602 });
    await expect(client.ask('authenticate', { methodId: 'api_key' })).rejects.toMatchObject({
      code: -32000,
      data: { kind: 'auth_failed' },
    });
    apiKey = 'secret_key_here';
    expect(await client.ask('authenticate', { methodId: 'api_key' })).toEqual({});
    const { sessionId, modes } = await client.ask('session/new', {
      cwd: '/w',
      mcpServers: [stdio([{ name: 'A', value: 'b' }])],
    });
    expect(modes).toMatchObject({
      currentModeId: 'code',
      availableModes: [{ id: 'code', name: 'Code Mode' }, { id: 'ask' }],
    });
    expect(await client.ask('session/set_mode', { sessionId, modeId: 'ask' })).toEqual({});
    expect(client.updates).toMatchObject([{ sessionUpdate: 'current_mode_update', currentModeId: 'ask' }]);
    const option = { sessionId, configId: 'autoApproveTools', type: 'boolean', value: true };
    expect(await client.ask('session/set_config_option', option)).toEqual({ configOptions: [] });

    expect(await client.ask('session/prompt', { sessionId, prompt: [text('work')] })).toEqual({
      stopReason: 'end_turn',
    });
    expect(client.files.get('/w/a.txt')).toBe('one!');
    expect(client.questions[0]).toMatchObject({
      toolCall: { toolCallId: 'tool_1', title: 'Delete test files?' },
      options: [{ name: 'Delete files' }, {}],
    });
    expect(client.updates.at(-1)).toMatchObject({
      sessionUpdate: 'tool_call_update',
      status: 'completed',
      content: [
        { type: 'content', content: text('File written') },
        { type: 'diff', oldText: '' },
        { type: 'terminal', terminalId: 'term-1' },
      ],
    });
    const waiting = client.ask('session/prompt', { sessionId, prompt: [text('wait')] });
    client.cancel(sessionId);
    expect(await waiting).toEqual({ stopReason: 'cancelled' });
    expect((await client.ask('session/load', { sessionId, cwd: '/w', mcpServers: [] })).modes).toMatchObject({
      currentModeId: 'ask',
    });
    await expect(client.ask('session/load', { sessionId: 'nobody', cwd: '/w', mcpServers: [] })).rejects.toMatchObject({
      code: -32002,
      data: { kind: 'session_not_found' },
    });
    await client.connection.close();
  });
});

describe('our agent over a pipe', () => {
  /** Serves a foreign client until it has played its part; what was wrong for it is in its stderr. */
  async function serve(
    dialect: DialectName | 'auto',
    name: string,
    options: Partial<DialectOptions> = {},
  ): Promise<string> {
    const keys = new Set<unknown>();
    const wire = await spawnPeer(name, 'auto');
    const transport = withDialect(wire, {
      takeCredentials: (_methodId, credentials) => keys.add((credentials as { apiKey: string }).apiKey),
      ...options,
      dialect,
    });
    const isLoggedIn = (): boolean => !name.startsWith('pharo') || keys.has('secret_key_here');
    const { closed } = serveOurAgent(transport, { isLoggedIn });
    await closed;
    const { code } = await wire.process.exited;
    expect({ code, stderr: wire.process.stderrTail }).toEqual({ code: 0, stderr: '' });
    return dialectOf(transport).dialect;
  }

  it.each(['harness', 'overview', 'go', 'elephant'] as const)('works with a client of %s', async (dialect) => {
    expect(await serve(dialect, `${dialect}-client`)).toBe(dialect);
  });

  it('works with a client of pharo', async () => {
    const modes = [
      { id: 'full', name: 'Full' },
      { id: 'safe', name: 'Safe' },
    ];
    expect(await serve('pharo', 'pharo-client', { modes })).toBe('pharo');
  });

  it('finds out by itself that a client speaks pharo', async () => {
    const modes = [
      { id: 'full', name: 'Full' },
      { id: 'safe', name: 'Safe' },
    ];
    expect(await serve('auto', 'pharo-client', { modes })).toBe('pharo');
  });
});
