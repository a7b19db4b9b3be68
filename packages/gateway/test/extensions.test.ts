import { RpcError } from '@parley/jsonrpc';
import { END_TURN } from '@parley/testing/scripted-agent';
import { describe, expect, it } from 'vitest';
import { host, rawClient, scriptedAgents, until } from './support/hosting.ts';

const scripted = scriptedAgents();

describe('methods that are no part of the protocol', () => {
  it('pass from the client to the agent, with answers and errors as they are', async () => {
    const script = {
      on: {
        '_vendor/ok': [{ do: 'respond', result: { sessionId: '$sessionId', value: [1] } }],
        'x.ai/fails': [{ do: 'fail', code: -32077, message: 'Nope', data: { because: 'no' } }],
        _heard: [{ do: 'say', text: 'heard' }],
      },
    } as const;
    const client = await rawClient(host(scripted(script)));
    const sessionId = await client.open();
    expect(await client.request('_vendor/ok', { sessionId, a: 1 })).toEqual({ sessionId, value: [1] });
    await expect(client.request('x.ai/fails', {})).rejects.toMatchObject({
      code: -32077,
      message: 'Nope',
      data: { because: 'no' },
    });
    await expect(client.request('_unknown', { sessionId })).rejects.toMatchObject({ code: -32601 });
    void client.connection.notify('_heard', { sessionId });
    await until(() => client.said() === 'heard');
  });

  it('pass from the agent to the client, with answers and errors as they are', async () => {
    const script = {
      on: {
        'session/prompt': [
          { do: 'request', method: '_ask', params: { sessionId: '$sessionId', n: 1 }, echo: true },
          { do: 'request', method: '_ask', params: { n: 2 }, echo: true },
          { do: 'request', method: '_fail', params: { sessionId: '$sessionId' }, echo: true },
          { do: 'request', method: '_unknown', params: { sessionId: '$sessionId' }, echo: true },
          { do: 'notify', method: '_told', params: { sessionId: '$sessionId', m: 3 } },
          END_TURN,
        ],
      },
    } as const;
    const client = await rawClient(host(scripted(script)));
    client.connection.onRequest('_ask', ({ params }) => params);
    client.connection.onRequest('_fail', () => {
      throw new RpcError(-32055, 'No', { x: 1 });
    });
    const told: unknown[] = [];
    client.connection.onNotification('_told', (params) => told.push(params));
    const sessionId = await client.open();
    await client.prompt(sessionId, 'go');
    expect(client.requests[0]?.params).toEqual({ sessionId, n: 1 });
    expect(
      client
        .said()
        .trim()
        .split('\n')
        .map((line) => JSON.parse(line)),
    ).toEqual([
      { result: { sessionId: 's1', n: 1 } },
      { result: { n: 2 } },
      { error: { code: -32055, message: 'No', data: { x: 1 } } },
      { error: expect.objectContaining({ code: -32601 }) },
    ]);
    await until(() => told.length === 1);
    expect(told).toEqual([{ sessionId, m: 3 }]);
  });
});
