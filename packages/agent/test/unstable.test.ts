import { describe, expect, it } from 'vitest';
import { CWD, connectRawClient, errorOf, type RawClient, testAgent } from './raw-client.ts';

async function open() {
  const { built } = testAgent({ unstable: true });
  built
    .mode({ id: 'a', name: 'A' })
    .mode({ id: 'b', name: 'B' })
    .auth({ id: 'key', name: 'Key' }, () => {})
    .requireAuth()
    .onLogout(() => {})
    .onPrompt(async (turn) => {
      let count = 0;
      for await (const event of turn.session.history()) if (event.type === 'message_chunk') count++;
      void turn.say(`${count} messages`);
    });
  const client = connectRawClient(built);
  await client.initialize();
  await client.request('authenticate', { methodId: 'key' });
  const { sessionId } = await client.newSession();
  return { built, client, sessionId, [Symbol.asyncDispose]: () => client[Symbol.asyncDispose]() };
}

const list = async (
  client: RawClient,
  params: object = {},
): Promise<{ sessionId: string; archived?: boolean; title?: string }[]> =>
  (
    await client.request<{ sessions: { sessionId: string; archived?: boolean; title?: string }[] }>(
      'session/list',
      params,
    )
  ).sessions;

describe('what is unstable', () => {
  it('forks a session with all that happened in it, and both go their own way', async () => {
    await using test = await open();
    const { client, sessionId } = test;
    await client.request('session/set_mode', { sessionId, modeId: 'b' });
    await client.prompt(sessionId, 'one');
    const forked = await client.request<{ sessionId: string }>('session/fork', { sessionId, cwd: '/elsewhere' });
    expect(forked).toMatchObject({ modes: { currentModeId: 'b' } });
    expect(forked.sessionId).not.toBe(sessionId);
    await client.prompt(sessionId, 'two');
    await client.prompt(forked.sessionId, 'other');
    expect(client.said(forked.sessionId)).toBe('3 messages');
    expect(client.said(sessionId)).toBe('1 messages3 messages');
    const fork = client.request('session/fork', { sessionId: 'sess_nope', cwd: '/' });
    expect(await errorOf(fork)).toMatchObject({ code: -32002 });
    expect(await errorOf(client.request('session/fork', { sessionId, cwd: 'here' }))).toMatchObject({ code: -32602 });
    const acp = { type: 'acp', name: 'x', serverId: 'y' };
    const refused = client.request('session/fork', { sessionId, cwd: '/', mcpServers: [acp] });
    expect(await errorOf(refused)).toMatchObject({ code: -32602 });
  });

  it('forks a session without its last turns, as if they had never been', async () => {
    await using test = await open();
    const { client, sessionId } = test;
    for (const text of ['one', 'two', 'three']) await client.prompt(sessionId, text);
    const fork = (turns: unknown) =>
      client.request<{ sessionId: string }>('session/fork', {
        sessionId,
        cwd: '/elsewhere',
        _meta: { 'parley/dropTurns': turns },
      });
    const forked = await fork(2);
    await client.prompt(forked.sessionId, 'other');
    expect(client.said(forked.sessionId)).toBe('3 messages');
    expect(await errorOf(fork(4))).toMatchObject({ code: -32602, message: expect.stringContaining('has 3 turns') });
    expect(await errorOf(fork('all'))).toMatchObject({ code: -32602 });
  });

  it('archives a session, which closes it, and brings it back', async () => {
    await using test = await open();
    const { client, sessionId } = test;
    for (let times = 0; times < 2; times++) {
      expect(await client.request('session/archive', { sessionId })).toEqual({});
    }
    expect(await errorOf(client.prompt(sessionId, 'hi'))).toMatchObject({ code: -32002 });
    expect(await list(client)).toEqual([]);
    expect(await list(client, { archived: 'only' })).toMatchObject([{ sessionId, archived: true }]);
    expect(await list(client, { archived: 'include' })).toHaveLength(1);
    expect(await errorOf(client.request('session/list', { archived: 'some' }))).toMatchObject({ code: -32602 });
    expect(await client.request('session/unarchive', { sessionId })).toEqual({});
    expect(await list(client)).toMatchObject([{ sessionId }]);
    expect(await client.request('session/status', { sessionId })).toEqual({ status: 'saved' });
    for (const method of ['session/archive', 'session/unarchive', 'session/status']) {
      expect(await errorOf(client.request(method, { sessionId: 'sess_nope' }))).toMatchObject({ code: -32002 });
    }
  });

  it('tells whether a session is open', async () => {
    await using test = await open();
    const { client, sessionId } = test;
    expect(await client.request('session/status', { sessionId })).toEqual({ status: 'open' });
    await client.request('session/close', { sessionId });
    expect(await client.request('session/status', { sessionId })).toEqual({ status: 'saved' });
  });

  it('gives a session a title, open or not', async () => {
    await using test = await open();
    const { client, sessionId } = test;
    expect(await client.request('session/set_title', { sessionId, title: '  Fix\n the build ' })).toEqual({
      title: 'Fix the build',
    });
    expect(client.updates()).toContainEqual({ sessionUpdate: 'session_info_update', title: 'Fix the build' });
    await client.prompt(sessionId, 'does not rename it');
    await client.request('session/close', { sessionId });
    expect(await list(client)).toMatchObject([{ title: 'Fix the build' }]);
    await client.request('session/set_title', { sessionId, title: 'Done' });
    expect(await list(client)).toMatchObject([{ title: 'Done' }]);
    expect(await errorOf(client.request('session/set_title', { sessionId, title: ' ' }))).toMatchObject({
      code: -32602,
    });
  });

  it('tells who is logged in, without asking for a login', async () => {
    await using test = await open();
    const { client } = test;
    expect(await client.request('auth/status')).toEqual({ state: 'authenticated' });
    await client.request('logout');
    expect(await client.request('auth/status')).toEqual({ state: 'unauthenticated' });
    expect(await errorOf(client.request('session/status', { sessionId: 'x' }))).toMatchObject({ code: -32000 });
    const { built } = testAgent({ unstable: true });
    await using plain = connectRawClient(built.onPrompt(async () => {}));
    await plain.initialize();
    expect(await plain.request('auth/status')).toEqual({ state: 'not_required' });
    expect(await plain.newSession({ cwd: CWD })).toHaveProperty('sessionId');
  });
});
