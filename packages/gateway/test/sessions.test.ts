import { agent } from '@parley/agent';
import { memoryStore } from '@parley/store/memory';
import { describe, expect, it, onTestFinished } from 'vitest';
import { type Gateway, gateway, type SessionChange } from '../src/index.ts';
import { rawClient, scriptedAgents } from './support/hosting.ts';

const scripted = scriptedAgents();

describe('the sessions of a principal', () => {
  it('are listed over all agents with what goes on in them, told as they change, and are there after a restart', async () => {
    const store = memoryStore({ isShared: true });
    const asks = {
      on: {
        'session/prompt': [
          {
            do: 'request',
            method: 'session/request_permission',
            params: {
              sessionId: '$sessionId',
              toolCall: { toolCallId: 'c', title: 'rm -rf dist' },
              options: [{ optionId: 'yes', name: 'Yes', kind: 'allow_once' }],
            },
          },
          { do: 'respond', result: { stopReason: 'end_turn' } },
        ],
      },
    } as const;
    const own = agent({ name: 'own', version: '1', store }).onPrompt(async (turn) => void turn.say('done'));
    const open = (): Gateway =>
      gateway({ store, agents: { asking: scripted(asks), own }, onEvent: () => {}, onDiagnostic: () => {} });
    const server = open();
    onTestFinished(() => server.close());
    const leaving = new AbortController();
    const changes: SessionChange[] = [];
    const waiters = new Set<() => void>();
    const watching = (async () => {
      for await (const change of server.watchSessions({ principal: 'ada', signal: leaving.signal })) {
        changes.push(change);
        for (const wake of waiters) wake();
      }
    })();
    const until = async (isSo: (change: SessionChange) => boolean): Promise<void> => {
      while (!changes.some(isSo)) await new Promise<void>((resolve) => waiters.add(resolve));
      changes.length = 0;
    };
    const client = (name: string, principal: string) =>
      rawClient({ serve: (wire) => server.serve(wire, { agent: name, principal }) });
    const [one, two, ben] = [await client('asking', 'ada'), await client('own', 'ada'), await client('own', 'ben')];
    one.connection.onRequest('session/request_permission', () => new Promise(() => {}));
    const sessionId = await one.open();
    await until((change) => change.type === 'session' && change.session.sessionId === sessionId);
    const second = await two.open();
    await two.prompt(second, 'Say something nice');
    await ben.open();
    const turn = one.prompt(sessionId, 'clean up').catch(() => {});
    await until((change) => change.type === 'session' && change.session.state === 'waiting');
    const { sessions, hasMore } = await server.sessions({ principal: 'ada' });
    expect(hasMore).toBe(false);
    expect(sessions.map(({ agent: name, sessionId: id, state }) => [name, id, state])).toEqual([
      ['asking', sessionId, 'waiting'],
      ['own', second, 'done'],
    ]);
    expect(sessions[0]?.questions).toMatchObject([{ type: 'permission', toolCall: { title: 'rm -rf dist' } }]);
    expect(sessions[1]?.title).toBe('Say something nice');
    expect((await server.sessions({ principal: 'ada', agent: 'own' })).sessions).toHaveLength(1);
    expect((await server.sessions({ principal: 'ada', limit: 1 })).hasMore).toBe(true);
    expect((await server.sessions({ principal: 'ben' })).sessions).toHaveLength(1);
    await one.request('session/delete', { sessionId });
    await until((change) => change.type === 'removed' && change.sessionId === sessionId);
    leaving.abort();
    await Promise.all([watching, turn]);

    const restarted = open();
    onTestFinished(() => restarted.close());
    expect((await restarted.sessions({ principal: 'ada' })).sessions).toMatchObject([
      { agent: 'own', sessionId: second, state: 'done', title: 'Say something nice', cwd: process.cwd() },
    ]);
  });
});
