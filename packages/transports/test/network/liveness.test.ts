import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { Recorder } from '@parley/testing/transport-cases';
import { describe, expect, it, onTestFinished } from 'vitest';
import { type WebSocket, WebSocketServer } from 'ws';
import { type NodeWebSocketOptions, webSocketAgent } from '../../src/websocket/node/index.ts';
import { never } from './wires.ts';

describe('a WebSocket of Node', () => {
  it('is lost when its peer answers no ping', async () => {
    const { recorder } = await open({ autoPong: false }, { pingEveryMs: 30 });
    await recorder.closed();
    expect(recorder.closes).toMatchObject([{ kind: 'failed', error: { kind: 'dropped' } }]);
    expect(recorder.closes[0]?.error?.message).toContain('answered none of 2 pings');
  });

  it('stays open as long as the peer shows any sign', async () => {
    const { recorder, peer } = await open({ autoPong: false }, { pingEveryMs: 100 });
    for (let count = 0; count < 40; count += 1) {
      peer.send(`{"n":${count}}`);
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
    await recorder.messages(40);
    expect(recorder.closes).toEqual([]);
  });

  it('is lost when its peer takes nothing for too long', async () => {
    const { recorder, peer, transport } = await open({}, { pingEveryMs: 30, maxStallMs: 90 });
    peer.pause();
    const big = { jsonrpc: '2.0', method: 'note', params: 'x'.repeat(1_000_000) } as const;
    for (let count = 0; count < 30; count += 1) void transport.send(big);
    await recorder.closed();
    expect(recorder.closes[0]?.error?.message).toMatch(/took nothing for/);
  });

  it.each([
    [1000, 'ended', undefined],
    [1001, 'ended', undefined],
    [1008, 'failed', 1008],
    [1011, 'failed', 1011],
  ])('that its peer closes with code %i has %s', async (code, kind, closeCode) => {
    const { recorder, peer } = await open({}, {});
    peer.close(code, 'because');
    await recorder.closed();
    expect(recorder.closes[0]?.kind).toBe(kind);
    expect((recorder.closes[0]?.error as { closeCode?: number } | undefined)?.closeCode).toBe(closeCode);
    if (closeCode !== undefined) expect(recorder.closes[0]?.error?.message).toContain(`code ${code}: because`);
  });

  it('whose peer vanishes is dropped', async () => {
    const { recorder, peer } = await open({}, {});
    peer.terminate();
    await recorder.closed();
    expect(recorder.closes).toMatchObject([{ kind: 'failed', error: { kind: 'dropped', closeCode: 1006 } }]);
  });

  it('says what was wrong with a message above the limit', async () => {
    const { recorder, peer } = await open({}, { maxMessageBytes: 1000 });
    peer.send(`"${'x'.repeat(2000)}"`);
    await recorder.closed();
    expect(recorder.closes).toMatchObject([{ kind: 'failed', error: { kind: 'too_large' } }]);
  });

  it('passes over binary frames', async () => {
    const { recorder, peer } = await open({}, {});
    peer.send(Buffer.from('{"n":0}'), { binary: true });
    peer.send('{"n":1}');
    await recorder.messages(1);
    expect(recorder.values).toEqual([{ n: 1 }]);
  });
});

async function open(serverOptions: { readonly autoPong?: boolean }, options: NodeWebSocketOptions) {
  const server = new WebSocketServer({ host: '127.0.0.1', port: 0, ...serverOptions });
  await once(server, 'listening');
  const connecting = once(server, 'connection') as Promise<[WebSocket]>;
  const url = `ws://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const { transport } = await webSocketAgent(url, options).open(never);
  const [peer] = await connecting;
  peer.on('error', () => {});
  onTestFinished(async () => {
    peer.terminate();
    await transport.close();
    server.close();
  });
  return { transport, peer, recorder: new Recorder(transport) };
}
