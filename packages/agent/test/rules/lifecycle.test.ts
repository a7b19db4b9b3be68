import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { CapabilityError, TurnError } from '../../src/index.ts';
import { ALL_CAPABILITIES, connectRawClient, errorOf, settle, testAgent } from '../raw-client.ts';

function simpleAgent() {
  const { built } = testAgent({ title: 'Test agent' });
  return built.onPrompt(async () => 'end_turn');
}

describe('initialize', () => {
  it('rule 27: refuses requests before it with -32600, and ignores notifications', async () => {
    await using client = connectRawClient(simpleAgent());
    client.notify('session/cancel', { sessionId: 'x' });
    for (const method of ['session/new', 'authenticate', 'session/list', 'no/such', '_own']) {
      expect(await errorOf(client.request(method, { cwd: '/', mcpServers: [] }))).toMatchObject({ code: -32600 });
    }
    expect(await client.initialize()).toMatchObject({ protocolVersion: 1 });
  });

  it('rule 29: answers the version that was asked for', async () => {
    await using client = connectRawClient(simpleAgent());
    expect(await client.request('initialize', { protocolVersion: 1 })).toMatchObject({ protocolVersion: 1 });
  });

  it.each([3, 65_535])('rule 31: answers its own latest version to %d', async (protocolVersion) => {
    await using client = connectRawClient(simpleAgent());
    expect(await client.request('initialize', { protocolVersion })).toMatchObject({ protocolVersion: 2 });
    expect(await client.newSession()).toHaveProperty('sessionId');
  });

  it('rule 31: refuses a version below all that it speaks, and says which it does', async () => {
    await using client = connectRawClient(simpleAgent());
    expect(await errorOf(client.request('initialize', { protocolVersion: 0 }))).toMatchObject({
      code: -32022,
      data: { requested: 0, supported: [1, 2] },
    });
    expect(await client.initialize()).toMatchObject({ protocolVersion: 1 });
  });

  it.each([undefined, 1.5, -1, 65_536, 'one'])('rule 30: refuses %s, which is no version', async (protocolVersion) => {
    await using client = connectRawClient(simpleAgent());
    expect(await errorOf(client.request('initialize', { protocolVersion }))).toMatchObject({ code: -32602 });
  });

  it('rule 33: takes an omitted capability for unsupported, before anything is sent', async () => {
    const errors: unknown[] = [];
    const { built } = testAgent();
    built.onPrompt(async (turn) => {
      const { client } = turn;
      for (const call of [
        () => client.readTextFile('/a'),
        () => client.writeTextFile('/a', ''),
        () => client.createTerminal({ command: 'ls' }),
        () => client.elicit({ message: 'Name?', form: {} }),
        () => client.elicit({ message: 'Log in', url: 'https://example.com' }),
      ]) {
        await call().catch((error: unknown) => errors.push(error));
      }
    });
    await using client = connectRawClient(built);
    const asked: string[] = [];
    client.connection.onAnyRequest(({ method }) => void asked.push(method));
    await client.initialize();
    const { sessionId } = await client.newSession();
    await client.prompt(sessionId, 'go');
    expect(errors.map((error) => (error as CapabilityError).capability)).toEqual([
      'fs.readTextFile',
      'fs.writeTextFile',
      'terminal',
      'elicitation.form',
      'elicitation.url',
    ]);
    for (const error of errors) expect(error).toBeInstanceOf(CapabilityError);
    expect(asked).toEqual([]);
  });

  it('rule 33: advertises nothing that was not registered, and serves nothing else', async () => {
    await using client = connectRawClient(simpleAgent());
    const { agentCapabilities, authMethods } = await client.initialize();
    expect(authMethods).toEqual([]);
    expect(agentCapabilities).toEqual({
      loadSession: true,
      promptCapabilities: { image: false, audio: false, embeddedContext: false },
      mcpCapabilities: { http: false, sse: false },
      sessionCapabilities: { list: {}, delete: {}, resume: {}, close: {} },
      auth: {},
    });
    const { sessionId } = await client.newSession();
    const unserved: [string, object][] = [
      ['logout', {}],
      ['session/set_mode', { sessionId, modeId: 'x' }],
      ['session/set_config_option', { sessionId, configId: 'x', value: 'y' }],
      ['session/fork', { sessionId, cwd: '/' }],
      ['session/archive', { sessionId }],
      ['session/unarchive', { sessionId }],
      ['session/status', { sessionId }],
      ['session/set_title', { sessionId, title: 'x' }],
      ['auth/status', {}],
      ['providers/list', {}],
    ];
    for (const [method, params] of unserved) {
      expect(await errorOf(client.request(method, params)), method).toMatchObject({ code: -32601 });
    }
  });

  it('rule 33: advertises what was registered', async () => {
    const { built } = testAgent({ additionalDirectories: true, unstable: true });
    built
      .onPrompt(async () => 'end_turn')
      .accepts('image', 'audio', 'resource')
      .acceptsMcp('http', 'sse')
      .onLogout(() => {})
      .auth({ id: 'key', name: 'API key', description: 'From the environment' }, () => {});
    await using client = connectRawClient(built);
    expect(await client.initialize()).toMatchObject({
      agentCapabilities: {
        promptCapabilities: { image: true, audio: true, embeddedContext: true },
        mcpCapabilities: { http: true, sse: true },
        sessionCapabilities: { additionalDirectories: {}, fork: {}, archive: {}, status: {}, title: {} },
        auth: { logout: {}, status: {} },
      },
      authMethods: [{ id: 'key', name: 'API key', description: 'From the environment' }],
    });
  });

  it('rule 34: works with every combination of client capabilities', async () => {
    const { built } = testAgent();
    built
      .option({ id: 'fast', name: 'Fast', default: true })
      .option({ id: 'model', name: 'Model', values: ['s', 'l'] });
    built.onPrompt(async (turn) => {
      const { client } = turn;
      void turn.notice({ severity: 'info', title: 'Hello' });
      turn.compaction().complete('short');
      if (client.offers.readTextFile) await client.readTextFile('/a');
      if (client.offers.writeTextFile) await client.writeTextFile('/a', 'b');
      if (client.offers.terminals) {
        await using terminal = await client.createTerminal({ command: 'ls' });
        await terminal.output();
      }
      if (client.offers.elicitForm) await client.elicit({ message: 'Name?', form: { properties: {} } });
      if (client.offers.elicitUrl) await client.elicit({ message: 'Go', url: 'https://example.com' });
      void turn.say('done');
    });
    const flags = fc.record({
      read: fc.boolean(),
      write: fc.boolean(),
      terminal: fc.boolean(),
      form: fc.boolean(),
      url: fc.boolean(),
      notices: fc.boolean(),
      compaction: fc.boolean(),
      switches: fc.boolean(),
    });
    const on = (flag: boolean): Record<string, never> | null => (flag ? {} : null);
    const check = fc.asyncProperty(flags, async (offered) => {
      await using client = connectRawClient(built);
      const asked: string[] = [];
      const answers: Record<string, unknown> = {
        'fs/read_text_file': { content: '' },
        'fs/write_text_file': {},
        'terminal/create': { terminalId: 't' },
        'terminal/output': { output: '', truncated: false },
        'terminal/release': {},
        'elicitation/create': { action: 'accept', content: null },
      };
      client.connection.onAnyRequest(({ method, params }) => {
        asked.push(method === 'elicitation/create' ? `elicit ${(params as { mode: string }).mode}` : method);
        return answers[method];
      });
      await client.initialize({
        fs: { readTextFile: offered.read, writeTextFile: offered.write },
        terminal: offered.terminal,
        elicitation: { form: on(offered.form), url: on(offered.url) },
        session: {
          notices: on(offered.notices),
          compaction: on(offered.compaction),
          configOptions: { boolean: on(offered.switches) },
        },
      });
      const { sessionId, configOptions } = await client.newSession();
      expect(await client.prompt(sessionId, 'go')).toEqual({ stopReason: 'end_turn' });
      expect(new Set(asked)).toEqual(
        new Set([
          ...(offered.read ? ['fs/read_text_file'] : []),
          ...(offered.write ? ['fs/write_text_file'] : []),
          ...(offered.terminal ? ['terminal/create', 'terminal/output', 'terminal/release'] : []),
          ...(offered.form ? ['elicit form'] : []),
          ...(offered.url ? ['elicit url'] : []),
        ]),
      );
      const kinds = client.updates().map(({ sessionUpdate }) => sessionUpdate);
      expect(kinds.includes('notice')).toBe(offered.notices);
      expect(kinds.includes('compaction_update')).toBe(offered.compaction);
      expect(configOptions?.map(({ id }) => id)).toEqual(offered.switches ? ['fast', 'model'] : ['model']);
      expect(client.said()).toBe('done');
    });
    await fc.assert(check, { seed: 34, numRuns: 256 });
  });

  it('rule 35: says who it is, and knows who the client is', async () => {
    const { built } = testAgent({ title: 'Test agent' });
    built.onPrompt(async (turn) => void turn.say(`${turn.client.info?.title ?? turn.client.info?.name}`));
    await using client = connectRawClient(built);
    const answer = await client.request('initialize', {
      protocolVersion: 1,
      clientInfo: { name: 'zed', title: 'Zed', version: '1.2' },
    });
    expect(answer.agentInfo).toEqual({ name: 'test-agent', title: 'Test agent', version: '1.0.0' });
    const { sessionId } = await client.newSession();
    await client.prompt(sessionId, 'who am I?');
    expect(client.said()).toBe('Zed');
  });

  it('rule 37: takes null for omitted and an empty object for supported', async () => {
    const { built } = testAgent();
    built.onPrompt(async (turn) => void turn.say(JSON.stringify(turn.client.offers)));
    await using client = connectRawClient(built);
    await client.request('initialize', {
      protocolVersion: 1,
      clientCapabilities: { session: { notices: {}, compaction: null }, elicitation: null, fs: null },
    });
    const { sessionId } = await client.newSession();
    await client.prompt(sessionId, 'go');
    expect(JSON.parse(client.said())).toMatchObject({
      notices: true,
      compaction: false,
      elicitForm: false,
      readTextFile: false,
    });
  });

  it.each([{}, { form: null, url: null }])('rule 38: takes elicitation %j for nothing offered', async (elicitation) => {
    const { built } = testAgent();
    built.onPrompt(async (turn) => void turn.say(`${turn.client.offers.elicitForm} ${turn.client.offers.elicitUrl}`));
    await using client = connectRawClient(built);
    await client.request('initialize', { protocolVersion: 1, clientCapabilities: { elicitation } });
    const { sessionId } = await client.newSession();
    await client.prompt(sessionId, 'go');
    expect(client.said()).toBe('false false');
  });

  it('rule 40: refuses a second one with -32600, and goes on', async () => {
    await using client = connectRawClient(simpleAgent());
    await client.initialize();
    expect(await errorOf(client.initialize())).toMatchObject({ code: -32600 });
    expect(await client.newSession()).toHaveProperty('sessionId');
  });
});

describe('authentication', () => {
  function guarded(check?: () => boolean) {
    const { built } = testAgent();
    let logouts = 0;
    built
      .onPrompt(async () => 'end_turn')
      .auth({ id: 'key', name: 'API key' }, ({ meta }) => {
        if (meta?.wrong) throw new TurnError('That key is not valid.', { rpcCode: -32000 });
      })
      .auth({ id: 'browser', name: 'In the terminal', terminal: { args: ['login'], env: { A: 'b' } } })
      .requireAuth(check)
      .onLogout(() => void logouts++);
    return { built, logouts: () => logouts };
  }

  it('answers a login that its handler refuses with -32000 and its kind, in the words of the handler', async () => {
    const { built } = testAgent();
    built
      .onPrompt(async () => 'end_turn')
      .auth({ id: 'words', name: 'Words' }, () => {
        throw new TurnError('That key is not valid.', { data: { hint: 'Look again.' } });
      })
      .auth({ id: 'fault', name: 'Fault' }, () => {
        throw new Error('secret detail');
      });
    await using client = connectRawClient(built);
    await client.initialize();
    expect(await errorOf(client.request('authenticate', { methodId: 'words' }))).toMatchObject({
      code: -32000,
      message: 'That key is not valid.',
      data: { kind: 'auth_failed', hint: 'Look again.' },
    });
    const fault = await errorOf(client.request('authenticate', { methodId: 'fault' }));
    expect(fault).toMatchObject({ code: -32000, data: { kind: 'auth_failed' } });
    expect(JSON.stringify(fault)).not.toContain('secret detail');
  });

  it('rule 41: answers session calls with -32000 until a login, and again after a logout', async () => {
    const { built, logouts } = guarded();
    await using client = connectRawClient(built);
    await client.initialize();
    expect(await errorOf(client.newSession())).toMatchObject({ code: -32000 });
    expect(await errorOf(client.request('session/list'))).toMatchObject({ code: -32000 });
    expect(await errorOf(client.request('authenticate', { methodId: 'key', _meta: { wrong: true } }))).toMatchObject({
      code: -32000,
      message: 'That key is not valid.',
    });
    expect(await errorOf(client.newSession())).toMatchObject({ code: -32000 });
    expect(await client.request('authenticate', { methodId: 'key' })).toEqual({});
    const { sessionId } = await client.newSession();
    expect(await client.request('logout')).toEqual({});
    expect(logouts()).toBe(1);
    expect(await errorOf(client.prompt(sessionId, 'go'))).toMatchObject({ code: -32000 });
    expect(await errorOf(client.newSession())).toMatchObject({ code: -32000 });
    await client.request('authenticate', { methodId: 'key' });
    expect(await client.prompt(sessionId, 'go')).toEqual({ stopReason: 'end_turn' });
  });

  it('rule 41: lets those in who need no login, until they log out', async () => {
    const { built } = guarded(() => true);
    await using client = connectRawClient(built);
    await client.initialize();
    expect(await client.newSession()).toHaveProperty('sessionId');
    await client.request('logout');
    expect(await errorOf(client.newSession())).toMatchObject({ code: -32000 });
  });

  it('rule 42: refuses a method that it did not advertise with -32602', async () => {
    const { built } = guarded();
    await using client = connectRawClient(built);
    await client.initialize();
    expect(await errorOf(client.request('authenticate', { methodId: 'nope' }))).toMatchObject({ code: -32602 });
    expect(await errorOf(client.request('authenticate', { methodId: 'browser' }))).toMatchObject({ code: -32602 });
  });

  it('rule 44: advertises terminal methods only to clients that can run them', async () => {
    const { built } = guarded();
    await using plain = connectRawClient(built);
    expect((await plain.initialize()).authMethods).toEqual([{ id: 'key', name: 'API key' }]);
    await using able = connectRawClient(built);
    expect((await able.initialize(ALL_CAPABILITIES)).authMethods).toEqual([
      { id: 'key', name: 'API key' },
      { id: 'browser', name: 'In the terminal', type: 'terminal', args: ['login'], env: { A: 'b' } },
    ]);
    expect(await errorOf(able.request('authenticate', { methodId: 'browser' }))).toMatchObject({ code: -32602 });
  });

  it('rule 48: writes methods of its own without a type', async () => {
    const { built } = guarded();
    await using client = connectRawClient(built);
    const { authMethods } = await client.initialize();
    expect((authMethods as object[])[0]).not.toHaveProperty('type');
  });

  it('lets a login ask the person, in the scope of its request', async () => {
    const { built } = testAgent();
    built
      .onPrompt(async () => 'end_turn')
      .auth({ id: 'web', name: 'Web' }, async ({ client }) => {
        const { action } = await client.elicit({ message: 'Log in', url: 'https://example.com/login' });
        if (action !== 'accept') throw new TurnError('Nobody logged in.');
      });
    await using client = connectRawClient(built);
    let params: Record<string, unknown> = {};
    client.connection.onRequest('elicitation/create', (context) => {
      params = context.params as Record<string, unknown>;
      return { action: 'accept' };
    });
    await client.initialize(ALL_CAPABILITIES);
    expect(await client.request('authenticate', { methodId: 'web' })).toEqual({});
    expect(params).toMatchObject({ mode: 'url', url: 'https://example.com/login', requestId: 2 });
    await settle();
  });
});
