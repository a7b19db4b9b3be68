import { agent } from '@parley/agent';
import { connect } from '@parley/client';
import { createConnection, type Transport } from '@parley/jsonrpc';
import { webSocketAgent } from '@parley/transports/websocket';
import { describe, expect, it, onTestFinished } from 'vitest';
import type { GatewayEvent } from '../src/index.ts';
import { inProcess, until } from './support/hosting.ts';
import { clientOf, ofKind, watched } from './support/watched.ts';

const echo = () => agent({ name: 'echo', version: '1' }).onPrompt(async (turn) => void turn.say(turn.text));

/** Ada has little of everything; nobody else is capped. */
const CAPS = {
  connections: 2,
  sessions: 2,
  processes: 1,
  requestsPerSecond: 1000,
} as const;
const onlyAda = (principal: string) => (principal === 'ada' ? CAPS : {});

const capsTold = (events: readonly GatewayEvent[]) =>
  ofKind(events, 'capped').map(({ principal, cap, limit }) => [principal, cap, limit]);

describe('a cap', () => {
  it('of connections refuses one more in words, on a wire and on a port, and hurts nobody else', async () => {
    const { server, events } = watched({ agents: { echo: echo() }, caps: onlyAda });
    await clientOf(server, 'ada');
    const second = await clientOf(server, 'ada');
    const error = { code: -32603, data: { kind: 'busy', reason: 'capped', cap: 'connections', limit: 2 } };
    await expect(clientOf(server, 'ada')).rejects.toMatchObject({
      ...error,
      message: expect.stringContaining('At most 2 connections of yours'),
    });
    const ben = await clientOf(server, 'ben');
    await ben.prompt(await ben.open(), 'hi');
    expect(capsTold(events)).toEqual([['ada', 'connections', 2]]);
    expect(ofKind(events, 'client_refused')).toMatchObject([{ principal: 'ada' }]);
    await second.connection.close();
    await until(() => server.state.connections === 2);
    await clientOf(server, 'ada');

    const port = await server.listen({ tokens: { ada: 'token-of-ada', ben: 'token-of-ben' } });
    onTestFinished(() => port.close({ graceMs: 100 }));
    const dial = async (token: string) => {
      const connection = await connect(webSocketAgent(port.url.replace('http', 'ws'), { token }));
      onTestFinished(() => connection.close());
    };
    await dial('token-of-ben');
    await expect(dial('token-of-ada')).rejects.toThrow('At most 2 connections of yours');
  });

  it('of sessions counts those that are open and being opened, whichever connection they are of', async () => {
    const { server, events } = watched({ agents: { echo: echo(), other: echo() }, caps: onlyAda });
    const [one, two] = [await clientOf(server, 'ada'), await clientOf(server, 'ada', 'other')];
    const [sessionId] = await Promise.all([one.open(), two.open()]);
    const refusal = { data: { cap: 'sessions', limit: 2, retryAfterMs: expect.any(Number) } };
    await expect(one.open()).rejects.toMatchObject(refusal);
    await expect(two.open()).rejects.toMatchObject(refusal);
    expect(capsTold(events)).toEqual([['ada', 'sessions', 2]]);
    // One that is open already is no further one.
    await one.request('session/load', { sessionId, cwd: process.cwd(), mcpServers: [] });
    const ben = await clientOf(server, 'ben');
    for (let n = 0; n < 5; n += 1) await ben.open();
    await one.request('session/close', { sessionId });
    await one.open();
    const both = await Promise.allSettled([one.open(), one.open()]);
    expect(both.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
    expect(capsTold(events)).toEqual([
      ['ada', 'sessions', 2],
      ['ada', 'sessions', 2],
    ]);
  });

  it('of processes refuses to start one more, and lets the others have theirs', async () => {
    const { server, events } = watched({
      agents: { echo: inProcess(echo) },
      processes: 'perSession',
      caps: (principal) => (principal === 'ada' ? { processes: 1 } : {}),
    });
    const ada = await clientOf(server, 'ada');
    const first = await ada.open();
    await expect(ada.open()).rejects.toMatchObject({
      message: expect.stringContaining('At most 1 agent processes of yours may run'),
      data: { cap: 'processes' },
    });
    await ada.prompt(first, 'still here');
    expect(ada.said()).toBe('still here');
    const ben = await clientOf(server, 'ben');
    for (let n = 0; n < 3; n += 1) await ben.prompt(await ben.open(), 'x');
    expect(ben.said()).toBe('xxx');
    expect(capsTold(events)).toEqual([['ada', 'processes', 1]]);
    await ada.request('session/close', { sessionId: first });
    await until(() => server.state.agents[0]?.processes === 3);
    await ada.open();
  });

  it('of requests refuses with when to try again, takes every cancel, and slows nobody else down', async () => {
    let cancelled = 0;
    const waiting = agent({ name: 'waiting', version: '1' }).onPrompt(async ({ signal }) => {
      await new Promise((resolve) => signal.addEventListener('abort', resolve));
      cancelled += 1;
      return 'cancelled';
    });
    const { server, events } = watched({
      agents: { waiting },
      caps: (principal) => (principal === 'ada' ? { requestsPerSecond: 5 } : {}),
    });
    const ada = await clientOf(server, 'ada');
    const ben = await clientOf(server, 'ben');
    const sessionId = await ada.open();
    const prompting = ada.prompt(sessionId, 'go');
    const flood = await Promise.allSettled(
      Array.from({ length: 50 }, () => ada.request('session/list', { cwd: process.cwd() })),
    );
    const refusals = flood.flatMap((each) => (each.status === 'rejected' ? [each.reason] : []));
    // Twice a second's worth may come at once, of which three were used before.
    expect(refusals.length).toBeGreaterThanOrEqual(35);
    expect(refusals[0]).toMatchObject({
      code: -32603,
      message: expect.stringContaining('Too many requests: at most 5 a second'),
      data: { kind: 'busy', reason: 'capped', cap: 'requestsPerSecond', limit: 5, retryAfterMs: expect.any(Number) },
    });
    void ada.connection.notify('session/cancel', { sessionId });
    expect(await prompting).toEqual({ stopReason: 'cancelled' });
    expect(cancelled).toBe(1);
    const all = await Promise.all(
      Array.from({ length: 50 }, () => ben.request('session/list', { cwd: process.cwd() })),
    );
    expect(all).toHaveLength(50);
    expect(new Set(capsTold(events).map(String))).toEqual(new Set(['ada,requestsPerSecond,5']));
    expect(ofKind(events, 'request').filter(({ outcome }) => outcome === 'refused').length).toBe(refusals.length);
  });

  it('of bytes has the client that sends too many read more slowly, and nobody else', async () => {
    const { server, events } = watched({
      agents: { echo: echo() },
      caps: (principal) => (principal === 'ada' ? { bytesPerSecond: 100_000 } : {}),
    });
    const port = await server.listen({ tokens: { ada: 'token-of-ada', ben: 'token-of-ben' } });
    onTestFinished(() => port.close({ graceMs: 100 }));
    const dial = async (token: string) => {
      const { transport } = await webSocketAgent(port.url.replace('http', 'ws'), { token }).open(
        AbortSignal.timeout(30_000),
      );
      const connection = createConnection(transport as Transport);
      onTestFinished(() => connection.close());
      await connection.request('initialize', { protocolVersion: 1, clientCapabilities: {} });
      const { sessionId } = (await connection.request('session/new', { cwd: process.cwd(), mcpServers: [] })) as {
        sessionId: string;
      };
      return () =>
        connection.request('session/prompt', { sessionId, prompt: [{ type: 'text', text: 'x'.repeat(100_000) }] });
    };
    const [ada, ben] = [await dial('token-of-ada'), await dial('token-of-ben')];
    const startedAt = performance.now();
    const slow = (async () => {
      for (let n = 0; n < 4; n += 1) await ada();
      return performance.now() - startedAt;
    })();
    for (let n = 0; n < 4; n += 1) await ben();
    expect(capsTold(events).every(([principal]) => principal === 'ada')).toBe(true);
    // 400 kB, of which 200 kB may come at once; the last message need not be paid back before it is served.
    expect(await slow).toBeGreaterThan(900);
    expect(capsTold(events)).toContainEqual(['ada', 'bytesPerSecond', 100_000]);
  }, 60_000);
});
