import { memoryStore } from '@parley/store/memory';
import { END_TURN } from '@parley/testing/scripted-agent';
import { describe, expect, it } from 'vitest';
import { host, rawClient, scriptedAgents, until } from './support/hosting.ts';

const scripted = scriptedAgents();

const CWD = { cwd: process.cwd(), mcpServers: [] };

describe('the viewers of a hosted session', () => {
  it('do not hold up the agent or each other, however slowly one reads, and that one is the one that prompts', async () => {
    const piece = 'x'.repeat(4000);
    const script = {
      on: {
        'session/prompt': [
          { do: 'repeat', times: 2000, steps: [{ do: 'say', text: piece, messageId: 'm-$index' }] },
          { do: 'say', text: 'end', messageId: 'end' },
          END_TURN,
        ],
      },
    } as const;
    const hosted = host(scripted(script), { store: memoryStore({ isShared: true }) });
    const [slow, quick] = [await rawClient(hosted), await rawClient(hosted)];
    const sessionId = await slow.open();
    await quick.request('session/load', { ...CWD, sessionId });
    slow.connection.pause();
    const prompting = slow.prompt(sessionId, 'go');
    await until(() => quick.said().endsWith('end'));
    slow.connection.resume();
    expect(await prompting).toEqual({ stopReason: 'end_turn' });
    expect(slow.said()).toBe(`${piece.repeat(2000)}end`);
    expect(quick.said()).toBe(slow.said());
  }, 60_000);

  it('get the answer to a prompt that was sent twice under one key, which the agent has seen once', async () => {
    const script = {
      on: {
        'session/prompt': [
          { do: 'notify', method: '_ran', params: { sessionId: '$sessionId' } },
          { do: 'say', text: 'once' },
          { do: 'respond', result: { stopReason: 'end_turn', _meta: { n: 1 } } },
        ],
      },
    } as const;
    const client = await rawClient(host(scripted(script), { store: memoryStore({ isShared: true }) }));
    let runs = 0;
    client.connection.onNotification('_ran', () => {
      runs += 1;
    });
    const sessionId = await client.open();
    const key = { 'parley/promptKey': 'k1' };
    const answers = await Promise.all([1, 2].map(() => client.prompt(sessionId, 'go', key)));
    answers.push(await client.prompt(sessionId, 'go', key));
    expect(answers).toEqual(Array.from({ length: 3 }, () => ({ stopReason: 'end_turn', _meta: { n: 1 } })));
    expect(runs).toBe(1);
    expect(client.said()).toBe('once');
  });
});
