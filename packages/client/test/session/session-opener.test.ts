import { type AgentScript, MISBEHAVIOURS } from '@parley/testing/scripted-agent';
import { describe, expect, it } from 'vitest';
import { terminalLoginOf } from '../../src/auth/auth-options.ts';
import { AuthRequiredError } from '../../src/errors.ts';
import type { ClientSession } from '../../src/session/session.ts';
import { CWD, failureOf, useScriptedAgents } from '../support/scripted.ts';

const agents = useScriptedAgents();
const texts = (session: ClientSession): unknown[] =>
  session.transcript.entries.toArray().map((entry) => ('text' in entry ? entry.text : entry.type));
const HISTORY = ['first question', 'first answer', 'tool_call', 'second answer'];

describe('loading a session', () => {
  it.each(['loadReplays', 'loadAnswersNull'] as const)(
    'puts the replayed conversation into the transcript (%s)',
    async (name) => {
      await using connection = await agents.connect(MISBEHAVIOURS[name]);
      const session = await connection.loadSession('old', { cwd: CWD });
      expect(texts(session)).toEqual(HISTORY);
      expect(session.transcript.entries.toArray().every(({ origin }) => origin === 'replay')).toBe(true);
      expect(session.transcript.isReplaying).toBe(false);
      const { text } = await session.prompt('next').result;
      expect(text).toBe('You said: next');
      expect(texts(session)).toEqual([...HISTORY, 'next', 'You said: next']);
      expect(session.transcript.entries.at(-1)).toMatchObject({ origin: 'live', turn: 0 });
    },
  );

  it('shows the session while its conversation is told', async () => {
    await using connection = await agents.connect(MISBEHAVIOURS.loadReplays);
    const seen: [count: number, isReplaying: boolean][] = [];
    let early: ClientSession | undefined;
    const onOpening = (session: ClientSession): void => {
      early = session;
      session.on('event', () => seen.push([texts(session).length, session.transcript.isReplaying]));
    };
    const session = await connection.loadSession('old', { cwd: CWD, onOpening });
    expect(session).toBe(early);
    expect(seen.filter(([, isReplaying]) => isReplaying).map(([count]) => count)).toEqual(
      expect.arrayContaining([1, 2, 3, 4]),
    );
    expect(texts(session)).toEqual(HISTORY);
  });

  it('works with an agent that does not replay, or does so too late', async () => {
    await using silent = await agents.connect(MISBEHAVIOURS.loadDoesNotReplay);
    expect(texts(await silent.loadSession('old', { cwd: CWD }))).toEqual([]);
    await using late = await agents.connect(MISBEHAVIOURS.loadReplaysTooLate);
    const session = await late.loadSession('old', { cwd: CWD });
    while (texts(session).length < HISTORY.length) await new Promise((resolve) => session.on('change', resolve));
    expect(texts(session)).toEqual(HISTORY);
  });

  it('that fails is an error of the agent, and leaves nothing open', async () => {
    await using connection = await agents.connect(MISBEHAVIOURS.loadFails);
    expect(await failureOf(connection.loadSession('old', { cwd: CWD }))).toMatchObject({
      code: -32603,
      message: 'No previous sessions found',
    });
    expect(connection.sessions.size).toBe(0);
  });

  it('is refused before anything is sent when the agent cannot', async () => {
    await using connection = await agents.connect({});
    expect(await failureOf(connection.loadSession('old', { cwd: CWD }))).toMatchObject({
      code: 'capability_missing',
      capability: 'agentCapabilities.loadSession',
    });
    expect(await failureOf(connection.resumeSession('old', { cwd: CWD }))).toMatchObject({
      code: 'capability_missing',
    });
    expect(await failureOf(connection.forkSession('old', { cwd: CWD }))).toMatchObject({ code: 'capability_missing' });
    expect(await failureOf(connection.deleteSession('old'))).toMatchObject({ code: 'capability_missing' });
    expect(await failureOf(connection.logout())).toMatchObject({ code: 'capability_missing' });
    expect(() => connection.listSessions()).toThrow(/sessionCapabilities.list/);
  });

  it('by resume accepts a replay that should not be there', async () => {
    await using connection = await agents.connect(MISBEHAVIOURS.resumeReplays);
    const session = await connection.resumeSession('old', { cwd: CWD });
    expect(texts(session)).toEqual(HISTORY);
    expect(session.transcript.entries.at(0)).toMatchObject({ origin: 'replay' });
  });
});

describe('a new session', () => {
  it('sends an absolute cwd, mcpServers even when there are none, and what is meant for one agent as _meta', async () => {
    const script: AgentScript = {
      capabilities: { mcpCapabilities: { http: true }, sessionCapabilities: { additionalDirectories: {} } },
      on: { 'session/new': [{ do: 'respond', result: { sessionId: 's1' } }] },
    };
    const sent: unknown[] = [];
    await using connection = await agents.connect(script, {
      trace: { write: ({ direction, message }) => direction === 'out' && sent.push(message), isRedacted: false },
    });
    await connection.newSession({ cwd: CWD, meta: { systemPrompt: { append: 'Be brief.' } } });
    await connection.newSession({
      cwd: CWD,
      additionalDirectories: ['/opt'],
      mcpServers: {
        files: { command: '/bin/files', env: { A: 'b' } },
        web: { type: 'http', url: 'https://example.com/mcp', headers: { 'X-Key': 'k' } },
        old: { type: 'sse', url: 'https://example.com/sse' },
      },
    });
    const params = sent
      .filter((message) => (message as { method?: string }).method === 'session/new')
      .map((message) => (message as { params: unknown }).params);
    expect(params).toEqual([
      { cwd: CWD, mcpServers: [], _meta: { systemPrompt: { append: 'Be brief.' } } },
      {
        cwd: CWD,
        additionalDirectories: ['/opt'],
        mcpServers: [
          { name: 'files', command: '/bin/files', args: [], env: [{ name: 'A', value: 'b' }] },
          { type: 'http', name: 'web', url: 'https://example.com/mcp', headers: [{ name: 'X-Key', value: 'k' }] },
        ],
      },
    ]);
  });

  it('is refused with a relative path, or directories the agent does not take', async () => {
    await using connection = await agents.connect({});
    expect(await failureOf(connection.newSession({ cwd: 'here' }))).toMatchObject({ code: 'invalid_path' });
    expect(await failureOf(connection.newSession({ cwd: CWD, additionalDirectories: ['/opt'] }))).toMatchObject({
      code: 'capability_missing',
    });
  });

  it('tells of servers that the agent cannot use', async () => {
    const told: string[] = [];
    await using connection = await agents.connect({}, { onDiagnostic: ({ message }) => told.push(message) });
    await connection.newSession({ cwd: CWD, mcpServers: { web: { url: 'https://example.com/mcp' } } });
    expect(told).toEqual(['MCP server "web" is left out: the agent does not take MCP servers over http.']);
  });

  it('of which there are many on one connection keeps to itself', async () => {
    await using connection = await agents.connect({});
    const sessions = await Promise.all(Array.from({ length: 20 }, () => connection.newSession({ cwd: CWD })));
    expect(new Set(sessions.map(({ id }) => id)).size).toBe(20);
    const results = await Promise.all(sessions.map((session, index) => session.prompt(`to ${index}`).result));
    expect(results.map(({ text }) => text)).toEqual(sessions.map((_, index) => `You said: to ${index}`));
    for (const [index, session] of sessions.entries())
      expect(texts(session)).toEqual([`to ${index}`, `You said: to ${index}`]);
  });
});

describe('sessions of the agent', () => {
  const listing: AgentScript = {
    capabilities: { sessionCapabilities: { list: {}, delete: {}, close: {}, fork: {} } },
    on: {
      'session/list': [
        {
          do: 'respond',
          result: {
            sessions: [
              { sessionId: 'a', cwd: '/a' },
              { sessionId: 'b', cwd: '/b' },
            ],
          },
        },
      ],
      'session/close': [{ do: 'fail', code: -32002, message: 'Session not found' }],
    },
  };

  it('are listed page by page or all at once', async () => {
    await using connection = await agents.connect(listing);
    const list = connection.listSessions();
    expect((await list.page()).sessions).toHaveLength(2);
    const ids: string[] = [];
    for await (const { sessionId } of list) ids.push(sessionId);
    expect(ids).toEqual(['a', 'b']);
  });

  it('are forked, closed and deleted; closing one the agent no longer has is no error', async () => {
    await using connection = await agents.connect(listing);
    const first = await connection.newSession({ cwd: CWD });
    const fork = await connection.forkSession(first.id, { cwd: CWD });
    expect(fork.id).not.toBe(first.id);
    await first.close();
    expect(connection.sessions.has(first.id)).toBe(false);
    expect(() => first.prompt('hello')).toThrow(/closed/);
    await connection.deleteSession(fork.id);
    expect(fork.isClosed).toBe(true);
  });
});

describe('authentication', () => {
  const guarded: AgentScript = {
    authMethods: [
      { id: 'key', name: 'API key' },
      { id: 'tty', name: 'In the terminal', type: 'terminal', args: ['--login'] },
    ],
    capabilities: { auth: { logout: {} } },
    on: {
      'session/new': [
        { do: 'fail', code: -32000, message: 'Authentication required' },
        { do: 'wait', ms: 1 },
      ],
      authenticate: [{ do: 'respond', result: {} }],
    },
  };

  it('that is needed is an error which lists the methods', async () => {
    await using connection = await agents.connect(guarded);
    const error = await failureOf(connection.newSession({ cwd: CWD }));
    expect(error).toBeInstanceOf(AuthRequiredError);
    expect(error).toMatchObject({ code: 'auth_required', methods: [{ id: 'key' }, { id: 'tty' }] });
    expect(String(error)).toContain('API key (key)');
  });

  it('is done once and the session tried again, where a method is chosen', async () => {
    const methods: string[] = [];
    await using connection = await agents.connect(guarded, {
      auth: { method: (error) => error.methods[0]?.id },
      trace: {
        write: ({ direction, message }) => direction === 'out' && methods.push((message as { method: string }).method),
      },
    });
    await failureOf(connection.newSession({ cwd: CWD }));
    expect(methods).toEqual(['initialize', 'session/new', 'authenticate', 'session/new']);
  });

  it('with an unknown method is refused before anything is sent; logout works', async () => {
    await using connection = await agents.connect(guarded);
    expect(await failureOf(connection.authenticate('nope'))).toMatchObject({ code: 'unknown_choice' });
    await connection.authenticate('key');
    await connection.logout();
  });

  it('in a terminal that an older agent tells in its notes is understood', () => {
    const note = { command: '/bin/claude', args: ['/login'], env: { A: 'b' }, label: 'Claude Login' };
    expect(terminalLoginOf({ id: 'x', name: 'X', _meta: { 'terminal-auth': note } })).toEqual({
      id: 'x',
      command: '/bin/claude',
      args: ['/login'],
      env: { A: 'b' },
    });
    expect(terminalLoginOf({ id: 'x', name: 'X' })).toBeUndefined();
  });

  it('in a terminal runs the agent with its arguments and starts it anew', async () => {
    const source = agents.source(guarded);
    const logins: unknown[] = [];
    const connection = await import('../../src/connect/connect.ts').then(({ connect }) =>
      connect(
        { ...source, authenticateInTerminal: async (login) => logins.push(login) > 0 },
        { auth: { terminal: true } },
      ),
    );
    await using _ = connection;
    await connection.authenticate('tty');
    expect(logins).toMatchObject([{ id: 'tty', args: ['--login'] }]);
    expect(connection.state).toBe('connected');
  });
});
