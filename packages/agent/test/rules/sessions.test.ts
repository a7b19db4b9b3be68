import { memoryStore } from '@parley/store/memory';
import { describe, expect, it } from 'vitest';
import type { Session } from '../../src/index.ts';
import { CWD, connectRawClient, errorOf, settle, testAgent, until } from '../raw-client.ts';

type ListAnswer = {
  sessions: { sessionId: string; cwd: string; title?: string; updatedAt?: string }[];
  nextCursor?: string;
};

function echo(options: Parameters<typeof testAgent>[0] = {}) {
  const { built, diagnostics } = testAgent(options);
  built.onPrompt(async (turn) => void turn.say(`echo ${turn.text}`));
  return { built, diagnostics };
}

describe('session setup', () => {
  it.each(['relative', './here', '', '~'])('rule 50: refuses the working directory %j with -32602', async (cwd) => {
    await using client = connectRawClient(echo().built);
    await client.initialize();
    const error = await errorOf(client.newSession({ cwd }));
    expect(error.code).toBe(-32602);
    expect(error.message).toContain('cwd');
  });

  it('rule 51: gives every session an id of its own', async () => {
    await using client = connectRawClient(echo().built);
    await client.initialize();
    const sessions = await Promise.all(Array.from({ length: 50 }, () => client.newSession()));
    expect(new Set(sessions.map(({ sessionId }) => sessionId)).size).toBe(50);
  });

  it('rule 52: takes relative paths from the working directory of the session', async () => {
    const { built } = testAgent();
    built.onPrompt(async (turn) => {
      void turn.say(turn.session.cwd);
      turn.toolCall({ title: 'Read', locations: ['src/a.ts', '../b.ts'] }).complete();
      await turn.client.readTextFile('./notes.md');
    });
    await using client = connectRawClient(built);
    let path = '';
    client.connection.onRequest('fs/read_text_file', ({ params }) => {
      ({ path } = params as { path: string });
      return { content: '' };
    });
    await client.initialize({ fs: { readTextFile: true } });
    const { sessionId } = await client.newSession({ cwd: '/elsewhere/app' });
    await client.prompt(sessionId, 'go');
    expect(client.said()).toBe('/elsewhere/app');
    expect(path).toBe('/elsewhere/app/notes.md');
    expect(client.updates()).toContainEqual(
      expect.objectContaining({ locations: [{ path: '/elsewhere/app/src/a.ts' }, { path: '/elsewhere/b.ts' }] }),
    );
  });

  it('rule 53: hands the agent the roots that bound its files', async () => {
    const { built } = testAgent({ additionalDirectories: true });
    built.onPrompt(async (turn) => void turn.say(turn.session.roots.join(' ')));
    await using client = connectRawClient(built);
    await client.initialize();
    const { sessionId } = await client.newSession({ additionalDirectories: ['/lib', 'C:\\more'] });
    await client.prompt(sessionId, 'go');
    expect(client.said()).toBe(`${CWD} /lib C:\\more`);
  });

  it('rule 54: reads MCP servers of null as none', async () => {
    const seen: unknown[] = [];
    const { built } = echo();
    built.onSession(({ session }) => void seen.push(session.mcpServers));
    await using client = connectRawClient(built);
    await client.initialize();
    await client.newSession({ mcpServers: null });
    expect(seen).toEqual([[]]);
  });

  it('rule 55: always takes MCP servers on stdio, others only when it advertised them', async () => {
    const stdio = { name: 'files', command: '/bin/files', args: [], env: [] };
    const http = { type: 'http', name: 'web', url: 'https://example.com/mcp', headers: [] };
    const sse = { ...http, type: 'sse' };
    await using plain = connectRawClient(echo().built);
    await plain.initialize();
    expect(await plain.newSession({ mcpServers: [stdio] })).toHaveProperty('sessionId');
    expect(await errorOf(plain.newSession({ mcpServers: [stdio, http] }))).toMatchObject({ code: -32602 });
    await using able = connectRawClient(echo().built.acceptsMcp('http'));
    await able.initialize();
    expect(await able.newSession({ mcpServers: [stdio, http] })).toHaveProperty('sessionId');
    expect(await errorOf(able.newSession({ mcpServers: [sse] }))).toMatchObject({ code: -32602 });
  });

  it('rule 56: hands all MCP servers to the session handler, before the client hears of the session', async () => {
    const connected: string[] = [];
    const { built } = echo();
    built.onSession(async ({ session }) => {
      for (const { name } of session.mcpServers) {
        await settle();
        connected.push(name);
      }
      return () => void connected.splice(0);
    });
    await using client = connectRawClient(built);
    await client.initialize();
    const servers = ['a', 'b'].map((name) => ({ name, command: `/bin/${name}`, args: [], env: [] }));
    const { sessionId } = await client.newSession({ mcpServers: servers });
    expect(connected).toEqual(['a', 'b']);
    await client.request('session/close', { sessionId });
    expect(connected).toEqual([]);
  });

  it('rule 58: activates exactly the roots and servers that load and resume name', async () => {
    const opened: { reason: string; roots: readonly string[]; servers: number }[] = [];
    let closed = 0;
    const { built } = echo({ additionalDirectories: true });
    built.onSession(({ session, reason }) => {
      opened.push({ reason, roots: session.roots, servers: session.mcpServers.length });
      return () => void closed++;
    });
    await using client = connectRawClient(built);
    await client.initialize();
    const server = { name: 'a', command: '/bin/a', args: [], env: [] };
    const { sessionId } = await client.newSession({ additionalDirectories: ['/one'], mcpServers: [server] });
    await client.request('session/load', { sessionId, cwd: CWD, additionalDirectories: ['/two'], mcpServers: [] });
    await client.request('session/resume', { sessionId, cwd: '/moved' });
    expect(opened).toEqual([
      { reason: 'new', roots: [CWD, '/one'], servers: 1 },
      { reason: 'load', roots: [CWD, '/two'], servers: 0 },
      { reason: 'resume', roots: ['/moved'], servers: 0 },
    ]);
    expect(closed).toBe(2);
  });

  it('rule 59: fails a request with a root that cannot be, rather than dropping it', async () => {
    const { built } = echo({ additionalDirectories: true });
    built.onSession(({ session }) => {
      if (session.roots.includes('/forbidden')) throw new Error('may not look there');
    });
    await using client = connectRawClient(built);
    await client.initialize();
    expect(await errorOf(client.newSession({ additionalDirectories: ['/ok', ''] }))).toMatchObject({ code: -32602 });
    expect(await errorOf(client.newSession({ additionalDirectories: ['src'] }))).toMatchObject({ code: -32602 });
    expect(await errorOf(client.newSession({ additionalDirectories: ['/forbidden'] }))).toMatchObject({ code: -32603 });
    expect(await client.request<ListAnswer>('session/list')).toEqual({ sessions: [] });
    await using plain = connectRawClient(echo().built);
    await plain.initialize();
    expect(await errorOf(plain.newSession({ additionalDirectories: ['/ok'] }))).toMatchObject({ code: -32602 });
  });
});

describe('load and resume', () => {
  it('rule 61: replays the entire conversation before it answers, and nothing of it afterwards', async () => {
    const { built } = testAgent();
    built
      .command({ name: 'help', description: 'Helps' })
      .mode({ id: 'ask', name: 'Ask' })
      .mode({ id: 'code', name: 'Code' });
    built.onPrompt(async (turn) => {
      void turn.think('hm');
      void turn.say(`echo ${turn.text}`);
      turn.toolCall({ title: 'Look', kind: 'read' }).complete({ text: 'found' });
      void turn.plan([{ content: 'Rest', priority: 'low', status: 'pending' }]);
      void turn.usage({ used: 1, size: 10 });
    });
    await using first = connectRawClient(built);
    await first.initialize();
    const { sessionId } = await first.newSession();
    await first.prompt(sessionId, 'one');
    await first.request('session/set_mode', { sessionId, modeId: 'code' });
    await first.prompt(sessionId, 'two');
    const live = first.updates(sessionId).filter(({ sessionUpdate }) => sessionUpdate !== 'available_commands_update');

    await using second = connectRawClient(built);
    await second.initialize();
    const loaded = await second.request('session/load', { sessionId, cwd: CWD, mcpServers: [] });
    const replayed = second.updates(sessionId);
    expect(loaded).toMatchObject({ modes: { currentModeId: 'code' } });
    await settle();
    expect(second.updates(sessionId)).toEqual(replayed);
    const prompts = replayed.filter(({ sessionUpdate }) => sessionUpdate === 'user_message_chunk');
    expect(prompts).toMatchObject([{ content: { text: 'one' } }, { content: { text: 'two' } }]);
    const commands = replayed.at(-1);
    expect(commands).toMatchObject({
      sessionUpdate: 'available_commands_update',
      availableCommands: [{ name: 'help' }],
    });
    expect(replayed.filter((update) => update !== commands && !prompts.includes(update))).toEqual(live);
  });

  it('rule 62: answers an unknown session with -32002 and its id', async () => {
    await using client = connectRawClient(echo().built);
    await client.initialize();
    for (const method of ['session/load', 'session/resume']) {
      const error = await errorOf(client.request(method, { sessionId: 'sess_nope', cwd: CWD, mcpServers: [] }));
      expect(error).toMatchObject({ code: -32002, data: { sessionId: 'sess_nope' } });
    }
    expect(await errorOf(client.prompt('sess_nope', 'hi'))).toMatchObject({
      code: -32002,
      data: { sessionId: 'sess_nope' },
    });
    expect(await client.newSession()).toHaveProperty('sessionId');
  });

  it('rule 63: resumes without replaying, and goes on where it was', async () => {
    const { built } = testAgent();
    built.onPrompt(async (turn) => {
      let texts = '';
      for await (const event of turn.session.history()) {
        if (event.type === 'message_chunk' && event.content.type === 'text') texts += `[${event.content.text}]`;
      }
      void turn.say(texts);
    });
    await using first = connectRawClient(built);
    await first.initialize();
    const { sessionId } = await first.newSession();
    await first.prompt(sessionId, 'one');
    await first.connection.close();
    await first.served;

    await using second = connectRawClient(built);
    await second.initialize();
    await second.request('session/resume', { sessionId, cwd: CWD, mcpServers: [] });
    await settle();
    expect(second.updates()).toEqual([]);
    await second.prompt(sessionId, 'two');
    expect(second.said()).toBe('[one][[one]][two]');
  });

  it('must be opened on a connection before it can be used there', async () => {
    const { built } = echo();
    await using first = connectRawClient(built);
    await first.initialize();
    const { sessionId } = await first.newSession();
    await using second = connectRawClient(built);
    await second.initialize();
    expect(await errorOf(second.prompt(sessionId, 'hi'))).toMatchObject({ code: -32002 });
  });
});

describe('close, list and delete', () => {
  it('rule 64: closing ends the pending prompt with cancelled first, and frees what the session had', async () => {
    const order: string[] = [];
    const { built } = testAgent();
    built
      .onSession(() => () => void order.push('freed'))
      .onPrompt(async (turn) => {
        await new Promise((resolve) => turn.signal.addEventListener('abort', resolve));
        throw turn.signal.reason;
      });
    await using client = connectRawClient(built);
    await client.initialize();
    const { sessionId } = await client.newSession();
    const prompt = client.prompt(sessionId, 'go').then(({ stopReason }) => order.push(stopReason));
    const close = client.request('session/close', { sessionId }).then((answer) => order.push(JSON.stringify(answer)));
    await Promise.all([prompt, close]);
    expect(order).toEqual(['cancelled', 'freed', '{}']);
    expect(await errorOf(client.prompt(sessionId, 'again'))).toMatchObject({ code: -32002 });
    expect(await client.request('session/close', { sessionId })).toEqual({});
  });

  it('rule 65: lists nothing as an empty list', async () => {
    await using client = connectRawClient(echo().built);
    await client.initialize();
    expect(await client.request('session/list')).toEqual({ sessions: [] });
    await client.newSession();
    expect(await client.request('session/list', { cwd: '/nowhere' })).toEqual({ sessions: [] });
  });

  it('rule 66: lists in pages, and refuses a cursor that it did not give', async () => {
    const { built } = echo({ limits: { sessionsPerPage: 3 } });
    await using client = connectRawClient(built);
    await client.initialize();
    const made = new Set<string>();
    for (let index = 0; index < 8; index++) made.add((await client.newSession()).sessionId);
    const listed: string[] = [];
    let cursor: string | undefined;
    let pages = 0;
    do {
      const page: ListAnswer = await client.request<ListAnswer>('session/list', cursor === undefined ? {} : { cursor });
      listed.push(...page.sessions.map(({ sessionId }) => sessionId));
      cursor = page.nextCursor;
      pages++;
    } while (cursor !== undefined);
    expect(pages).toBe(3);
    expect(listed).toHaveLength(8);
    expect(new Set(listed)).toEqual(made);
    expect(await errorOf(client.request('session/list', { cursor: 'made up' }))).toMatchObject({ code: -32602 });
  });

  it('rule 67: lists by exactly the working directory', async () => {
    await using client = connectRawClient(echo().built);
    await client.initialize();
    const { sessionId } = await client.newSession({ cwd: '/a' });
    await client.newSession({ cwd: '/a/b' });
    await client.newSession({ cwd: '/ab' });
    const { sessions } = await client.request<ListAnswer>('session/list', { cwd: '/a' });
    expect(sessions).toMatchObject([{ sessionId, cwd: '/a' }]);
    expect(await errorOf(client.request('session/list', { cwd: 'a' }))).toMatchObject({ code: -32602 });
  });

  it('rule 68: deleting an unknown session succeeds, and a deleted one is gone', async () => {
    const { built } = echo();
    await using client = connectRawClient(built);
    await client.initialize();
    const { sessionId } = await client.newSession();
    const { sessionId: kept } = await client.newSession();
    await client.prompt(sessionId, 'hi');
    expect(await client.request('session/delete', { sessionId: 'sess_nope' })).toEqual({});
    expect(await client.request('session/delete', { sessionId })).toEqual({});
    expect(await client.request('session/delete', { sessionId })).toEqual({});
    const { sessions } = await client.request<ListAnswer>('session/list');
    expect(sessions.map((each) => each.sessionId)).toEqual([kept]);
    expect(await errorOf(client.prompt(sessionId, 'hi'))).toMatchObject({ code: -32002 });
    const reload = client.request('session/load', { sessionId, cwd: CWD, mcpServers: [] });
    expect(await errorOf(reload)).toMatchObject({ code: -32002 });
  });

  it('rule 69: listing changes nothing', async () => {
    const store = memoryStore({ isShared: true });
    const { built } = echo({ store });
    let opened = 0;
    built.onSession(() => void opened++);
    await using client = connectRawClient(built);
    await client.initialize();
    const { sessionId } = await client.newSession();
    await client.prompt(sessionId, 'What is up?\nTell me.');
    const before = await store.log().get(sessionId);
    const lists = [await client.request('session/list'), await client.request('session/list')];
    expect(lists[0]).toEqual(lists[1]);
    expect(lists[0]).toMatchObject({ sessions: [{ sessionId, title: 'What is up?', cwd: CWD }] });
    expect(await store.log().get(sessionId)).toEqual(before);
    expect(opened).toBe(1);
  });

  it('rule 70: tells of the title alone: what is left out stays, null clears', async () => {
    const { built } = testAgent();
    let session: Session | undefined;
    built.onPrompt(async (turn) => {
      ({ session } = turn);
      turn.title('Fix the build');
    });
    await using client = connectRawClient(built);
    await client.initialize();
    const { sessionId } = await client.newSession();
    await client.prompt(sessionId, 'go');
    session?.setTitle(null);
    await until(() => client.updates().length === 2);
    expect(client.updates()).toEqual([
      { sessionUpdate: 'session_info_update', title: 'Fix the build' },
      { sessionUpdate: 'session_info_update', title: null },
    ]);
    const { sessions } = await client.request<ListAnswer>('session/list');
    expect(sessions[0]).not.toHaveProperty('title');
  });
});
