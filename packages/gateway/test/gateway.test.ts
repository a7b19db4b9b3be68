import { agent } from '@parley/agent';
import { memoryStore } from '@parley/store/memory';
import { createMemoryPair } from '@parley/transports/memory';
import { describe, expect, it, onTestFinished } from 'vitest';
import { gateway } from '../src/index.ts';
import { rawClient, scriptedAgents, until } from './support/hosting.ts';

const scripted = scriptedAgents();

describe('a gateway', () => {
  it('serves agents by name, of others and of one, each with sessions of its own', async () => {
    const own = agent({ name: 'own', version: '1' }).onPrompt(async (turn) => void turn.say(`own: ${turn.text}`));
    const server = gateway({
      store: memoryStore({ isShared: true }),
      agents: { one: scripted({}), two: scripted({}), own },
      defaultAgent: 'two',
      onDiagnostic: () => {},
    });
    onTestFinished(() => server.close());
    expect(server.names).toEqual(['one', 'two', 'own']);
    expect(server.agentFor('none')).toBeUndefined();
    const client = (name?: string) =>
      rawClient({ serve: (wire) => server.serve(wire, name === undefined ? {} : { agent: name }) });
    const [one, two, mine] = [await client('one'), await client(), await client('own')];
    const sessionId = await one.open();
    await one.prompt(sessionId, 'hi');
    expect(one.said()).toBe('You said: hi');
    await mine.prompt(await mine.open(), 'hi');
    expect(mine.said()).toBe('own: hi');
    const load = { sessionId, cwd: process.cwd(), mcpServers: [] };
    await expect(two.request('session/load', load)).rejects.toMatchObject({ code: -32002 });
    const [near] = createMemoryPair();
    await expect(server.serve(near, { agent: 'none' })).rejects.toMatchObject({ code: 'unknown_agent' });
    expect(() => gateway({ agents: {} })).toThrow('no agent');
  });

  it('interrupts the turns that run when it is closed, and stops an agent that does not end them', async () => {
    for (const endsTurns of [true, false]) {
      const script = {
        on: {
          'session/prompt': [
            { do: 'say', text: 'begun' },
            { do: 'waitFor', method: endsTurns ? 'session/cancel' : '_never' },
            { do: 'respond', result: { stopReason: 'cancelled' } },
          ],
        },
      } as const;
      const store = memoryStore({ isShared: true });
      const server = gateway({ store, agents: { one: scripted(script) }, onDiagnostic: () => {} });
      const client = await rawClient({ serve: (wire) => server.serve(wire, { principal: 'ada' }) });
      const sessionId = await client.open();
      const lost = client.prompt(sessionId, 'go').catch(() => {});
      await until(() => client.said() === 'begun');
      await client.connection.close();
      await server.close();
      await lost;
      const ends: unknown[] = [];
      for await (const { kind, body } of store.log('one/ada').read(sessionId)) if (kind === 'turn_end') ends.push(body);
      // Nobody has cancelled it.
      expect(ends).toMatchObject([{ error: { data: { reason: 'turn_interrupted' } } }]);
    }
  }, 30_000);
});
