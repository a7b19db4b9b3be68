import { type Agent, type AgentOptions, agent, McpError, type Provider } from '@parley/agent';
import { RpcError } from '@parley/jsonrpc';
import { createMemoryPair } from '@parley/transports/memory';
import { describe, expect, it, onTestFinished } from 'vitest';
import { type AgentConnection, type ConnectOptions, connect } from '../../src/index.ts';

interface OpenOptions {
  readonly agent?: Partial<AgentOptions>;
  readonly build?: (built: Agent) => Agent;
  readonly client?: ConnectOptions;
}

/** Opens an agent and a client of ours, which both use what is unstable. */
function opening(protocol: 1 | 2): (options?: OpenOptions) => Promise<AgentConnection> {
  return async ({ agent: options = {}, build = (built: Agent) => built, client = {} } = {}) => {
    const [near, far] = createMemoryPair();
    const plain = agent({ name: 'a', version: '1', unstable: true, ...options }).onPrompt(async () => {});
    const served = build(plain).serve(far);
    const connection = await connect(near, { unstable: true, protocol, ...client });
    onTestFinished(async () => {
      await connection.close();
      await served;
    });
    return connection;
  };
}

async function listed(connection: AgentConnection, archived?: 'only' | 'include'): Promise<string[]> {
  const ids: string[] = [];
  for await (const { sessionId } of connection.listSessions(archived ? { archived } : {})) ids.push(sessionId);
  return ids;
}

describe.each([1, 2] as const)('what is unstable, between our own agent and client, in version %i', (protocol) => {
  const open = opening(protocol);

  it('archives a session, which closes it, and brings it back', async () => {
    const connection = await open();
    const session = await connection.newSession({ cwd: '/' });
    await session.archive();
    expect(session.isClosed).toBe(true);
    expect(await listed(connection)).toEqual([]);
    expect(await listed(connection, 'only')).toEqual([session.id]);
    await connection.unarchiveSession(session.id);
    expect(await listed(connection)).toEqual([session.id]);
    await connection.archiveSession(session.id);
    expect(await listed(connection, 'include')).toEqual([session.id]);
  });

  it('tells whether a session is open, and gives it a title', async () => {
    const connection = await open();
    const session = await connection.newSession({ cwd: '/' });
    expect(await connection.sessionStatus(session.id)).toBe('open');
    expect(await session.setTitle('  Fix\nthe build ')).toBe('Fix the build');
    expect(session.transcript.title).toBe('Fix the build');
    await session.close();
    expect(await connection.sessionStatus(session.id)).toBe('saved');
    expect(await connection.setSessionTitle(session.id, 'Done')).toBe('Done');
  });

  it('forks a session', async () => {
    const connection = await open();
    const session = await connection.newSession({ cwd: '/' });
    expect((await connection.forkSession(session.id, { cwd: '/' })).id).not.toBe(session.id);
  });

  it('tells who is logged in, and when that changes', async () => {
    const connection = await open({
      build: (built) =>
        built
          .auth({ id: 'key', name: 'Key' }, () => {})
          .requireAuth()
          .onLogout(() => {}),
    });
    const told: string[] = [];
    connection.on('auth', ({ state }) => told.push(state));
    expect(await connection.authStatus()).toEqual({ state: 'unauthenticated' });
    await connection.authenticate('key');
    await connection.authenticate('key');
    await connection.logout();
    expect(told).toEqual(['authenticated', 'unauthenticated']);
    expect(await connection.authStatus()).toEqual({ state: 'unauthenticated' });
  });

  it('lists, sets and disables the providers of models', async () => {
    const providers = new Map<string, Provider>([
      ['main', { providerId: 'main', supported: ['anthropic', 'openai'], required: true }],
      ['spare', { providerId: 'spare', supported: ['openai'], required: false }],
    ]);
    const headersOf = new Map<string, Readonly<Record<string, string>>>();
    const connection = await open({
      agent: {
        providers: {
          list: () => [...providers.values()],
          set({ providerId, apiType, baseUrl, headers }) {
            headersOf.set(providerId, headers);
            const provider = providers.get(providerId);
            if (provider) providers.set(providerId, { ...provider, current: { apiType, baseUrl } });
          },
          disable(providerId) {
            const provider = providers.get(providerId);
            if (provider) providers.set(providerId, { ...provider, current: null });
          },
        },
      },
    });
    const setting = { apiType: 'openai', baseUrl: 'http://localhost:1', headers: { authorization: 'x' } };
    for (const providerId of ['main', 'spare']) await connection.providers.set({ providerId, ...setting });
    expect(headersOf.get('main')).toEqual({ authorization: 'x' });
    await connection.providers.disable('spare');
    await connection.providers.disable('nobody');
    const current = { apiType: 'openai', baseUrl: 'http://localhost:1' };
    expect(await connection.providers.list()).toEqual([
      { providerId: 'main', supported: ['anthropic', 'openai'], required: true, current },
      { providerId: 'spare', supported: ['openai'], required: false, current: null },
    ]);
    for (const refused of [
      connection.providers.disable('main'),
      connection.providers.set({ providerId: 'nobody', ...setting }),
      connection.providers.set({ providerId: 'spare', ...setting, apiType: 'bedrock' }),
    ]) {
      await expect(refused).rejects.toMatchObject({ code: -32602 });
    }
  });

  it('gives a session instructions for the model, in the ways that the agent takes', async () => {
    let seen: unknown;
    const build = (built: Agent) =>
      built.onSession(({ session }) => {
        seen = session.systemPrompt;
      });
    const appending = await open({ agent: { systemPrompt: 'append' }, build });
    const session = await appending.newSession({ cwd: '/', systemPrompt: 'Be brief.' });
    const content = [{ type: 'text' as const, text: 'Be brief.' }];
    expect(seen).toEqual({ mode: 'append', content });
    const override = { mode: 'override' as const, content };
    await expect(appending.newSession({ cwd: '/', systemPrompt: override })).rejects.toMatchObject({
      code: 'capability_missing',
    });
    const params = { cwd: '/', mcpServers: [], systemPrompt: override };
    await expect(appending.request('session/new', params)).rejects.toMatchObject({ code: -32602 });
    await appending.forkSession(session.id, { cwd: '/', systemPrompt: 'Be kind.' });
    expect(seen).toMatchObject({ content: [{ text: 'Be kind.' }] });
    const overriding = await open({ agent: { systemPrompt: 'override' }, build });
    await overriding.newSession({ cwd: '/', systemPrompt: override });
    expect(seen).toEqual(override);
  });

  it('lets an agent use MCP servers that the client is itself', async () => {
    const heard: unknown[] = [];
    const answers: unknown[] = [];
    const build = (built: Agent) =>
      built.acceptsMcp('acp').onPrompt(async ({ session, client }) => {
        const serverId = session.acpServers[0]?.serverId ?? '';
        const onNotification = (method: string, params: unknown): void => void heard.push([method, params]);
        answers.push(await client.callMcp({ serverId, method: 'tools/list', onNotification }));
        answers.push(await client.callMcp({ serverId, method: 'fail' }).catch((error: unknown) => error));
        answers.push(await client.callMcp({ serverId: 'nobody', method: 'x' }).catch((error: unknown) => error));
      });
    const connection = await open({
      build,
      client: {
        acpServers: {
          notes: {
            name: 'Notes',
            handle({ method, notify }) {
              if (method === 'fail') throw new RpcError(-32601, 'no such method');
              notify('notifications/progress', { progress: 1 });
              return { tools: [] };
            },
          },
        },
      },
    });
    const session = await connection.newSession({ cwd: '/' });
    await session.prompt('go').result;
    expect(answers[0]).toEqual({ tools: [] });
    expect(heard).toEqual([['notifications/progress', { progress: 1 }]]);
    expect(answers[1]).toBeInstanceOf(McpError);
    expect(answers[1]).toMatchObject({ mcpCode: -32601, message: expect.stringContaining('no such method') });
    expect(answers[2]).toMatchObject({ code: 'client_refused' });
  });

  it('is neither asked for nor served where one side keeps to the stable protocol', async () => {
    const stableClient = await open({ client: { unstable: false } });
    await expect(stableClient.authStatus()).rejects.toMatchObject({ code: 'not_available' });
    const stableAgent = await open({ agent: { unstable: false, systemPrompt: 'append' } });
    await expect(stableAgent.authStatus()).rejects.toMatchObject({ code: 'capability_missing' });
    await expect(stableAgent.providers.list()).rejects.toMatchObject({ code: 'capability_missing' });
    expect(stableAgent.offers.systemPrompt).toBe(false);
    expect(JSON.stringify(stableAgent.capabilities)).not.toContain('systemPrompt');
    for (const method of ['session/archive', 'auth/status', 'providers/list'])
      await expect(stableAgent.request(method, {})).rejects.toMatchObject({ code: -32601 });
  });
});
