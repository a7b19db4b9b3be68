import { memoryStore } from '@parley/store/memory';
import { END_TURN } from '@parley/testing/scripted-agent';
import { describe, expect, it } from 'vitest';
import { ALL_CAPABILITIES, host, rawClient, scriptedAgents } from './support/hosting.ts';

const scripted = scriptedAgents();

const CWD = { cwd: process.cwd(), mcpServers: [] };
const OLD = [
  { do: 'update', update: { sessionUpdate: 'user_message_chunk', content: { type: 'text', text: 'first' } } },
  {
    do: 'update',
    update: { sessionUpdate: 'agent_message_chunk', content: { type: 'text', text: 'You said: first' } },
  },
] as const;

/** One prompt with one agent, then the session is opened again with another agent on the same store. */
async function comeBack(
  second: Parameters<typeof scripted>[0],
  options: Parameters<typeof host>[1] = {},
  capabilities = ALL_CAPABILITIES,
) {
  const store = memoryStore({ isShared: true });
  const before = host(scripted({}), { store });
  const one = await rawClient(before);
  const sessionId = await one.open();
  await one.prompt(sessionId, 'first');
  await one.connection.close();
  await before.close();
  const client = await rawClient(host(scripted(second), { ...options, store }), capabilities);
  await client.request('session/load', { ...CWD, sessionId });
  const replayed = client.updates.splice(0);
  return { client, sessionId, replayed };
}

describe('a session that is opened again', () => {
  it('is resumed at an agent that can, under the name that it has there', async () => {
    const { client, sessionId, replayed } = await comeBack({
      capabilities: { loadSession: true, sessionCapabilities: { resume: {} } },
      on: {
        'session/resume': [
          { do: 'notify', method: '_seen', params: { resumed: '$sessionId' } },
          { do: 'respond', result: {} },
        ],
      },
    });
    expect(replayed.map(({ sessionUpdate }) => sessionUpdate)).toEqual(['user_message_chunk', 'agent_message_chunk']);
    const seen: unknown[] = [];
    client.connection.onNotification('_seen', (params) => seen.push(params));
    await client.prompt(sessionId, 'second');
    expect(seen).toEqual([{ resumed: 's1' }]);
    expect(client.said()).toBe('You said: second');
  });

  it('is not shown twice where the agent tells it only after it has said that it is loaded', async () => {
    const { client, sessionId } = await comeBack({
      capabilities: { loadSession: true },
      on: {
        'session/load': [{ do: 'respond', result: {} }],
        'session/prompt': [...OLD, { do: 'say', text: 'You said: $prompt' }, END_TURN],
      },
    });
    await client.prompt(sessionId, 'second');
    expect(client.said()).toBe('You said: second');
    expect(client.updates.map(({ sessionUpdate }) => sessionUpdate)).toEqual(['agent_message_chunk']);
    // Later it is what the agent says now, word for word the same or not.
    client.updates.length = 0;
    await client.prompt(sessionId, 'third');
    expect(client.said()).toBe('You said: firstYou said: third');
  });

  it('is shown what an agent says anew in the words of before', async () => {
    const { client, sessionId } = await comeBack({
      capabilities: { loadSession: true },
      on: {
        'session/load': [{ do: 'respond', result: {} }],
        'session/prompt': [{ do: 'say', text: 'You said: first' }, END_TURN],
      },
    });
    await client.prompt(sessionId, 'first');
    expect(client.said()).toBe('You said: first');
  });

  it('is loaded at an agent that can only load, and what that tells again is not shown again', async () => {
    const { client, sessionId } = await comeBack({
      capabilities: { loadSession: true },
      on: { 'session/load': [...OLD, { do: 'respond', result: {} }] },
    });
    await client.prompt(sessionId, 'second');
    expect(client.said()).toBe('You said: second');
    const other = client.updates.filter(({ sessionUpdate }) => sessionUpdate === 'user_message_chunk');
    expect(other).toEqual([]);
  });

  it('is told what came before to an agent that cannot load, ahead of the next prompt and once', async () => {
    const { client, sessionId } = await comeBack({});
    await client.prompt(sessionId, 'second');
    const said = client.said();
    expect(said).toContain('you do not remember it');
    expect(said).toContain('User: first\n\nAssistant: You said: first');
    expect(said).not.toContain('User: second');
    expect(said.endsWith('second')).toBe(true);
    client.updates.length = 0;
    await client.prompt(sessionId, 'third');
    expect(client.said()).toBe('You said: third');
  });

  it('is told what came before to an agent that has lost it', async () => {
    const lost = { do: 'fail', code: -32002, message: 'Unknown session' } as const;
    const { client, sessionId } = await comeBack({
      capabilities: { loadSession: true },
      on: { 'session/load': [lost] },
    });
    await client.prompt(sessionId, 'second');
    expect(client.said()).toContain('User: first');
  });

  it('is opened again when the agent says at a prompt that it has lost it', async () => {
    const script = {
      capabilities: { loadSession: true },
      on: {
        'session/load': [
          { do: 'notify', method: '_seen', params: { loaded: '$sessionId' } },
          { do: 'respond', result: {} },
        ],
        'session/prompt': [{ do: 'fail', code: -32002, message: 'Session not found', data: { sessionId: 'x' } }],
      },
    } as const;
    const client = await rawClient(host(scripted(script)));
    const seen: unknown[] = [];
    client.connection.onNotification('_seen', (params) => seen.push(params));
    const sessionId = await client.open();
    await expect(client.prompt(sessionId, 'go')).rejects.toMatchObject({ code: -32002, message: 'Session not found' });
    expect(seen).toEqual([{ loaded: 's1' }]);
  });

  it('tells the person that the agent does not remember, where that is wanted', async () => {
    const knowing = await comeBack({}, { rememberBy: 'notice' });
    await knowing.client.prompt(knowing.sessionId, 'second');
    expect(knowing.client.updates).toContainEqual(
      expect.objectContaining({ sessionUpdate: 'notice', title: 'The agent does not remember this conversation' }),
    );
    expect(knowing.client.said()).toBe('You said: second');
    const plain = await comeBack({}, { rememberBy: 'notice' }, {});
    await plain.client.prompt(plain.sessionId, 'second');
    expect(plain.client.said()).toContain('does not remember this conversation');
  });

  it('keeps what the person chose, also at an agent that begins anew', async () => {
    const modes = {
      currentModeId: 'ask',
      availableModes: [
        { id: 'ask', name: 'Ask' },
        { id: 'code', name: 'Code' },
      ],
    };
    const script = {
      session: { modes },
      on: {
        'session/set_mode': [
          { do: 'notify', method: '_seen', params: { set: true } },
          { do: 'respond', result: {} },
        ],
        'session/prompt': [
          { do: 'tell', what: 'pid' },
          { do: 'exit', code: 1 },
        ],
      },
    } as const;
    const client = await rawClient(host(scripted(script)));
    const seen: unknown[] = [];
    client.connection.onNotification('_seen', (params) => seen.push(params));
    const sessionId = await client.open();
    await client.request('session/set_mode', { sessionId, modeId: 'code' });
    await client.prompt(sessionId, 'go').catch(() => {});
    await client.prompt(sessionId, 'go').catch(() => {});
    expect(seen).toEqual([{ set: true }, { set: true }]);
    const other = await client.request('session/resume', { ...CWD, sessionId });
    expect(other).toMatchObject({ modes: { currentModeId: 'code' } });
  });

  it('is still open at the agent for a client that left and comes back', async () => {
    const hosted = host(scripted({ on: { 'session/prompt': [{ do: 'say', text: '$sessionId $prompt' }, END_TURN] } }));
    const one = await rawClient(hosted);
    const sessionId = await one.open();
    await one.prompt(sessionId, 'one');
    await one.connection.close();
    const two = await rawClient(hosted);
    await two.request('session/resume', { ...CWD, sessionId });
    await two.prompt(sessionId, 'two');
    expect(two.said()).toBe('s1 two');
  });

  it('is forked at an agent that can, and begun anew at one that cannot', async () => {
    for (const [capabilities, forked] of [
      [{ sessionCapabilities: { fork: {} } }, 'You said: second'],
      [{}, 'User: first'],
    ] as const) {
      const client = await rawClient(host(scripted({ capabilities })));
      const sessionId = await client.open();
      await client.prompt(sessionId, 'first');
      const fork = String((await client.request('session/fork', { ...CWD, sessionId })).sessionId);
      client.updates.length = 0;
      await client.prompt(fork, 'second');
      expect(client.said()).toContain(forked);
      expect(client.said().includes('do not remember')).toBe(forked === 'User: first');
    }
  });
});
