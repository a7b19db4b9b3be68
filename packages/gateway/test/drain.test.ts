import { agent } from '@parley/agent';
import { memoryStore } from '@parley/store/memory';
import { isRunning } from '@parley/testing/processes';
import { END_TURN } from '@parley/testing/scripted-agent';
import { describe, expect, it } from 'vitest';
import { scriptedAgents, until } from './support/hosting.ts';
import { clientOf, ofKind, watched } from './support/watched.ts';

const scripted = scriptedAgents();

const LONG = {
  on: {
    'session/prompt': [
      { do: 'tell', what: 'pid' },
      { do: 'waitFor', method: '_go' },
      { do: 'say', text: ' and done' },
      END_TURN,
    ],
  },
} as const;

describe('a gateway that drains', () => {
  it('refuses what is new in words, and lets what runs come to its end', async () => {
    const { server, events } = watched({ agents: { one: scripted(LONG) } });
    const client = await clientOf(server);
    const [first, second] = [await client.open(), await client.open()];
    const prompting = client.prompt(first, 'go');
    await until(() => client.said().includes('pid'));
    let isDrained = false;
    const draining = server.drain({ graceMs: 60_000 }).then(() => {
      isDrained = true;
    });
    expect(server.state).toMatchObject({ isReady: false, reasons: ['The gateway drains.'], turns: 1 });
    const refusal = {
      code: -32603,
      message: expect.stringContaining('about to stop or restart'),
      data: { kind: 'busy', reason: 'draining' },
    };
    await expect(client.prompt(second, 'more')).rejects.toMatchObject(refusal);
    await expect(client.open()).rejects.toMatchObject(refusal);
    // Reading goes on.
    await client.request('session/list', {});
    expect(isDrained).toBe(false);
    void client.connection.notify('_go', { sessionId: first });
    expect(await prompting).toEqual({ stopReason: 'end_turn' });
    await draining;
    expect(client.said()).toContain('and done');
    const pid = Number(/pid (\d+)/.exec(client.said())?.[1]);
    await until(() => !isRunning(pid));
    expect(ofKind(events, 'turn_ended')).toMatchObject([{ stopReason: 'end_turn' }]);
    expect(ofKind(events, 'state_changed')).toMatchObject([{ state: 'draining' }]);
  }, 60_000);

  it('ends what still runs after the time as interrupted, for its client and in the log, with what it had said', async () => {
    const store = memoryStore({ isShared: true });
    const { server } = watched({ agents: { one: scripted(LONG) }, store });
    const client = await clientOf(server);
    const sessionId = await client.open();
    const prompting = client.prompt(sessionId, 'go').catch((error: unknown) => error);
    await until(() => client.said().includes('pid'));
    await server.drain({ graceMs: 50 });
    expect(await prompting).toMatchObject({
      code: -32603,
      message: expect.stringContaining('interrupted'),
      data: { reason: 'turn_interrupted' },
    });
    expect(server.state.turns).toBe(0);
    await server.close();

    const again = watched({ agents: { one: scripted(LONG) }, store }).server;
    const back = await clientOf(again);
    await back.request('session/load', { sessionId, cwd: process.cwd(), mcpServers: [] });
    expect(back.said()).toContain('pid');
    expect(back.said()).not.toContain('and done');
    expect(again.state.turns).toBe(0);
  }, 60_000);

  it('answers a prompt that is sent again with the end of its turn, and drains agents of ones own too', async () => {
    let end = (): void => {};
    const own = agent({ name: 'own', version: '1', store: memoryStore({ isShared: true }) }).onPrompt(async (turn) => {
      await new Promise<void>((resolve) => {
        end = resolve;
      });
      await turn.say('ended');
    });
    const { server } = watched({ agents: { own } });
    const client = await clientOf(server);
    const sessionId = await client.open();
    const named = { 'parley/promptKey': 'p1' };
    const first = client.prompt(sessionId, 'go', named);
    await until(() => server.state.turns === 1);
    const draining = server.drain({ graceMs: 60_000 });
    const again = client.prompt(sessionId, 'go', named);
    await expect(client.prompt(sessionId, 'go', { 'parley/promptKey': 'p2' })).rejects.toMatchObject({
      data: { reason: 'draining' },
    });
    end();
    expect(await first).toMatchObject({ stopReason: 'end_turn' });
    expect(await again).toMatchObject({ stopReason: 'end_turn' });
    await draining;
    expect(client.said()).toBe('ended');
  }, 60_000);
});
