import { agent } from '@parley/agent';
import { END_TURN } from '@parley/testing/scripted-agent';
import { describe, expect, it } from 'vitest';
import { scriptedAgents, until } from './support/hosting.ts';
import { clientOf, ofKind, watched } from './support/watched.ts';

const scripted = scriptedAgents();

const PERMISSION = {
  sessionId: '$sessionId',
  toolCall: { toolCallId: 't', title: 'rm -r build', kind: 'execute' },
  options: [{ optionId: 'yes', name: 'Yes', kind: 'allow_once' }],
};

describe('the events of a gateway', () => {
  it('have the diagnostics of its agents, also without a handler for these', async () => {
    const unasked = `${JSON.stringify({ jsonrpc: '2.0', id: 'never asked', result: {} })}\n`;
    const script = { on: { 'session/prompt': [{ do: 'raw', text: unasked }, END_TURN] } } as const;
    const { server, events } = watched({ agents: { one: scripted(script) } });
    const client = await clientOf(server, 'ada');
    await client.prompt(await client.open(), 'hello');
    expect(ofKind(events, 'diagnostic')).toMatchObject([
      { agent: 'one', diagnostic: { kind: 'unsolicited_response' } },
    ]);
  });

  it('tell of clients, requests both ways, sessions, prompts, turns, questions and processes', async () => {
    const script = {
      on: {
        'session/prompt': [
          { do: 'request', method: 'session/request_permission', params: PERMISSION },
          { do: 'say', text: 'done' },
          END_TURN,
        ],
      },
    } as const;
    const { server, events } = watched({ agents: { one: scripted(script) } });
    const client = await clientOf(server, 'ada');
    client.connection.onRequest('session/request_permission', () => ({
      outcome: { outcome: 'selected', optionId: 'yes' },
    }));
    const sessionId = await client.open();
    await client.prompt(sessionId, 'hello');
    expect(server.state).toMatchObject({
      isReady: true,
      connections: 1,
      turns: 0,
      agents: [{ name: 'one', processes: 1, sessions: 1, turns: 0 }],
    });
    await client.connection.close();
    await until(() => ofKind(events, 'session_closed').length === 1);
    await server.close();
    await until(() => ofKind(events, 'agent_stopped').length === 1);

    const place = { agent: 'one', principal: 'ada' };
    expect(ofKind(events, 'client_connected', 'client_left')).toMatchObject([place, { ...place, reason: 'ended' }]);
    expect(ofKind(events, 'agent_started', 'agent_stopped')).toMatchObject([place, place]);
    expect(ofKind(events, 'session_opened', 'session_closed')).toMatchObject([
      { ...place, sessionId },
      { ...place, sessionId, end: 'left' },
    ]);
    expect(ofKind(events, 'prompted')).toMatchObject([{ ...place, sessionId, characters: 5 }]);
    expect(ofKind(events, 'turn_started', 'turn_ended')).toMatchObject([
      { ...place, sessionId },
      { ...place, sessionId, stopReason: 'end_turn', durationMs: expect.any(Number) },
    ]);
    expect(ofKind(events, 'question_asked', 'question_answered')).toMatchObject([
      { ...place, sessionId, question: { toolCall: { title: 'rm -r build' } } },
      { ...place, sessionId, by: 'raw', answer: { optionId: 'yes' } },
    ]);
    const requests = ofKind(events, 'request').map(({ direction, method, outcome }) => [direction, method, outcome]);
    expect(requests).toEqual([
      ['in', 'initialize', 'ok'],
      ['in', 'session/new', 'ok'],
      ['out', 'session/request_permission', 'ok'],
      ['in', 'session/prompt', 'ok'],
    ]);
    expect(ofKind(events, 'request')[3]).toMatchObject({ ...place, id: expect.anything(), sessionId });
    expect(ofKind(events, 'state_changed')).toMatchObject([{ state: 'closed' }]);
  });

  it('tell of an agent that has crashed, and how', async () => {
    const script = { on: { 'session/prompt': [{ do: 'exit', code: 7 }] } } as const;
    const { server, events } = watched({ agents: { one: scripted(script) } });
    const client = await clientOf(server);
    const sessionId = await client.open();
    await client.prompt(sessionId, 'go').catch(() => {});
    await until(() => ofKind(events, 'agent_crashed').length === 1);
    expect(ofKind(events, 'agent_crashed')).toMatchObject([{ agent: 'one', principal: 'local', exitCode: 7 }]);
    expect(ofKind(events, 'turn_ended')).toMatchObject([{ sessionId, error: { code: -32603 } }]);
    expect(ofKind(events, 'request').at(-1)).toMatchObject({ outcome: 'error', code: -32603 });
  });

  it('tell of an agent of ones own too, its settings, and requests that a client did not wait for', async () => {
    const own = agent({ name: 'own', version: '1' })
      .mode({ id: 'ask', name: 'Ask' })
      .mode({ id: 'code', name: 'Code' })
      .onPrompt(async ({ signal }) => {
        await new Promise((resolve) => signal.addEventListener('abort', resolve));
        return 'cancelled';
      });
    const { server, events } = watched({ agents: { own } });
    const client = await clientOf(server, 'ben');
    const sessionId = await client.open();
    await client.request('session/set_mode', { sessionId, modeId: 'code' });
    expect(ofKind(events, 'settings_changed')).toMatchObject([
      { agent: 'own', principal: 'ben', sessionId, setting: 'mode', value: 'code' },
    ]);
    void client.prompt(sessionId, 'go').catch(() => {});
    await until(() => server.state.turns === 1);
    await client.connection.close();
    await until(() => ofKind(events, 'client_left').length === 1);
    expect(ofKind(events, 'request').at(-1)).toMatchObject({ method: 'session/prompt', outcome: 'dropped' });
    expect(server.state).toMatchObject({ connections: 0, turns: 1 });
  });
});
