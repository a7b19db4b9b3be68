import { once } from 'node:events';
import type { Socket } from 'node:net';
import { byteTransportCases, type PairLimits, Recorder, transportCases } from '@parley/testing/transport-cases';
import { describe, expect, it } from 'vitest';
import { WebSocket } from 'ws';
import { openListening, TOKEN } from '../../../test/listen/listening.ts';
import { dialRaw, frameOf } from '../../../test/listen/raw-web-socket.ts';
import { openWire } from '../../../test/network/wires.ts';
import { webSocketAgent } from '../../websocket/node/web-socket-agent.ts';
import { listen } from '../listen.ts';

const INITIALIZE = '{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":1}}';

transportCases('the server of a WebSocket', (limits) => openPair(limits));

byteTransportCases('the server of a WebSocket, raw', {
  async openPair(limits) {
    const listener = await listen({ token: TOKEN, ...(limits && { limits }) });
    const { socket } = await dialRaw(listener.port);
    const { transport: near } = await nextOf(listener);
    const far = { close: async () => void socket.destroy() };
    return {
      near,
      far: { ...near, ...far },
      writeRaw: (bytes) => void socket.write(bytes),
      dispose: () => listener.close({ graceMs: 0 }),
    };
  },
  frame: (bytes) => frameOf(bytes),
  endsFramesAtNewline: false,
  toleratesNoise: false,
  endsAtOversize: true,
  endsAtMalformedText: true,
});

describe('the server of a WebSocket', () => {
  it('gives the connection an id with the upgrade, and never repeats a token', async () => {
    await using listening = await openListening();
    const offered = `acp, acp.bearer.${Buffer.from(TOKEN).toString('base64url')}`;
    const { head, socket } = await dialRaw(listening.listener.port, {
      headers: { Authorization: '', 'Sec-WebSocket-Protocol': offered },
    });
    expect(head).toMatch(/^HTTP\/1\.1 101 /);
    expect(head).toMatch(/^acp-connection-id: [0-9a-f-]{36}\r$/m);
    expect(head).toMatch(/^Sec-WebSocket-Protocol: acp\r$/m);
    expect(head).not.toContain('bearer');
    expect(head).not.toMatch(/extensions/i);
    socket.destroy();
    await listening.until(() => listening.ends.length === 1);
    expect(listening.ends).toMatchObject([{ kind: 'failed', error: { kind: 'dropped', closeCode: 1006 } }]);
  });

  it('repeats the id of the connection in the answer to initialize, and in no other', async () => {
    await using listening = await openListening();
    const { socket: upgraded, head } = await dialRaw(listening.listener.port);
    const connectionId = /^acp-connection-id: (.*)\r$/m.exec(head)?.[1];
    upgraded.write(frameOf(Buffer.from(INITIALIZE)));
    const answered = once(upgraded, 'data');
    await listening.until(() => listening.received.length === 1);
    expect(JSON.parse(textOf(await answered))).toMatchObject({ id: 1, result: { method: 'initialize', connectionId } });
    upgraded.write(frameOf(Buffer.from('{"jsonrpc":"2.0","id":1,"method":"a"}')));
    expect(JSON.parse(textOf(await once(upgraded, 'data')))).toEqual({
      jsonrpc: '2.0',
      id: 1,
      result: { method: 'a' },
    });
    upgraded.destroy();
  });

  it.each([
    ['malformed UTF-8', [frameOf(Buffer.from('7b226e223a22ff227d', 'hex'))], 1007],
    [
      'malformed UTF-8 over two fragments',
      [frameOf(Buffer.from([0x22, 0xc3]), 0x01), frameOf(Buffer.from([0x22]), 0x80)],
      1007,
    ],
    ['an opcode that is not known', [frameOf(Buffer.from('{}'), 0x83)], 1002],
    ['a reserved bit', [frameOf(Buffer.from('{}'), 0xc1)], 1002],
    ['a frame without a mask', [Buffer.from([0x81, 0x02, 0x7b, 0x7d])], 1002],
    ['a continuation of nothing', [frameOf(Buffer.from('{}'), 0x80)], 1002],
    ['another message than initialize first', [frameOf(Buffer.from('{"jsonrpc":"2.0","id":1,"method":"a"}'))], 1002],
    ['initialize without an id', [frameOf(Buffer.from('{"jsonrpc":"2.0","method":"initialize"}'))], 1002],
  ])('closes on %s with the code for it', async (_, frames, code) => {
    await using listening = await openListening();
    const { socket } = await dialRaw(listening.listener.port);
    const closing = closeCodeOf(socket);
    for (const frame of frames) socket.write(frame);
    expect(await closing).toBe(code);
    await listening.until(() => listening.ends.length === 1);
    expect(listening.ends).toMatchObject([{ kind: 'failed' }]);
    expect(listening.received).toEqual([]);
    socket.destroy();
  });

  it('closes a client that never sends initialize, whatever else it sends', async () => {
    await using listening = await openListening({ limits: { initializeMs: 100 } });
    const { socket } = await dialRaw(listening.listener.port);
    const closing = closeCodeOf(socket);
    socket.write(frameOf(Buffer.from('not json')));
    socket.write(frameOf(Buffer.from('ping'), 0x89));
    expect(await closing).toBe(1002);
    socket.destroy();
  });

  it('passes over binary frames, and puts fragments together', async () => {
    await using listening = await openListening();
    const { socket } = await dialRaw(listening.listener.port);
    socket.write(frameOf(Buffer.from('{"n":0}'), 0x82));
    socket.write(frameOf(Buffer.from('{"n"'), 0x01));
    socket.write(frameOf(Buffer.from('ping'), 0x89));
    socket.write(frameOf(Buffer.from(':1}'), 0x80));
    await listening.until(() => listening.received.length === 1);
    expect(listening.received).toEqual([{ n: 1 }]);
    socket.destroy();
  });

  it.each([
    ['a clean close', 1000, 'ended'],
    ['a page that is left', 1001, 'ended'],
    ['an error of the client', 1011, 'failed'],
  ])('tells %s', async (_, code, kind) => {
    await using listening = await openListening();
    const socket = await dial(listening.listener.port);
    socket.close(code);
    await listening.until(() => listening.ends.length === 1);
    expect(listening.ends).toMatchObject([{ kind }]);
  });

  it('ends with 1009 when a message is too large, and with 1001 when the server shuts down', async () => {
    const listening = await openListening({ limits: { maxMessageBytes: 1000 } });
    const [greedy, modest] = [await dial(listening.listener.port), await dial(listening.listener.port)];
    greedy.send('x'.repeat(1001));
    expect((await once(greedy, 'close'))[0]).toBe(1009);
    modest.send(INITIALIZE);
    await once(modest, 'message');
    await Promise.all([
      once(modest, 'close').then(([code]) => expect(code).toBe(1001)),
      listening.listener.close({ graceMs: 5000 }),
    ]);
    expect(listening.ends).toMatchObject([{ kind: 'failed' }, { kind: 'closed' }]);
  });

  it('drops a client that answers no ping, and keeps one that does', async () => {
    await using listening = await openListening({ limits: { pingMs: 40 } });
    const { socket } = await dialRaw(listening.listener.port);
    await listening.until(() => listening.accepted.length === 1);
    const alive = await dial(listening.listener.port);
    await listening.until(() => listening.ends.length === 1);
    expect(listening.ends).toMatchObject([{ kind: 'failed', error: { message: 'No sign of life for 2 pings.' } }]);
    alive.send(INITIALIZE);
    await once(alive, 'message');
    alive.terminate();
    socket.destroy();
  });

  it('drops a client that reads nothing for too long', async () => {
    await using listening = await openListening({ limits: { stallMs: 100 } });
    const { socket } = await dialRaw(listening.listener.port);
    socket.pause();
    await listening.until(() => listening.accepted.length === 1);
    const [accepted] = listening.accepted;
    const text = 'x'.repeat(1_000_000);
    for (let n = 0; n < 20; n += 1) void accepted?.transport.send({ jsonrpc: '2.0', method: 'note', params: { text } });
    await listening.until(() => listening.ends.length === 1);
    expect(listening.ends).toMatchObject([{ error: { message: 'The client has read nothing for 100 ms.' } }]);
    socket.destroy();
  });

  it('ends a client for which too much waits, rather than keep it all', async () => {
    await using listening = await openListening({ limits: { maxQueueBytes: 1_000_000, maxMessageBytes: 1_000_000 } });
    const { socket } = await dialRaw(listening.listener.port);
    socket.pause();
    await listening.until(() => listening.accepted.length === 1);
    const text = 'x'.repeat(900_000);
    const [accepted] = listening.accepted;
    expect(() => {
      for (let n = 0; n < 20; n += 1)
        void accepted?.transport.send({ jsonrpc: '2.0', method: 'note', params: { text } });
    }).toThrow(/closed/);
    await listening.until(() => listening.ends.length === 1);
    expect(listening.ends).toMatchObject([
      { kind: 'failed', error: { message: expect.stringContaining('reads too slowly') } },
    ]);
    socket.destroy();
  });

  it('puts the messages of one tick into one write', async () => {
    await using listening = await openListening();
    const { socket } = await dialRaw(listening.listener.port);
    await listening.until(() => listening.accepted.length === 1);
    const [accepted] = listening.accepted;
    for (let n = 0; n < 50; n += 1) void accepted?.transport.send({ jsonrpc: '2.0', method: 'note' });
    const [chunk] = (await once(socket, 'data')) as [Buffer];
    expect(chunk.length).toBe(50 * (2 + '{"jsonrpc":"2.0","method":"note"}'.length));
    socket.destroy();
  });

  it('answers pings between the fragments of a long message, which stays whole', async () => {
    await using listening = await openListening();
    const socket = await dial(listening.listener.port);
    await listening.until(() => listening.accepted.length === 1);
    let pongs = 0;
    socket.on('pong', () => {
      pongs += 1;
    });
    const text = 'é'.repeat(5_000_000);
    const heard = once(socket, 'message');
    socket.pause();
    void listening.accepted[0]?.transport.send({ jsonrpc: '2.0', method: 'note', params: { text } });
    for (let n = 0; n < 20; n += 1) {
      socket.ping();
      await new Promise((resolve) => setImmediate(resolve));
    }
    socket.resume();
    const [message] = await heard;
    expect(JSON.parse(String(message))).toEqual({ jsonrpc: '2.0', method: 'note', params: { text } });
    while (pongs < 20) await once(socket, 'pong');
    socket.terminate();
  });

  it.each([
    ['another path', { path: '/other' }, '404'],
    ['another upgrade', { headers: { Upgrade: 'h2c' } }, '426'],
    ['no key', { headers: { 'Sec-WebSocket-Key': '' } }, '400'],
    ['another version', { headers: { 'Sec-WebSocket-Version': '7' } }, '400'],
  ])('refuses an upgrade with %s', async (_, asked, status) => {
    await using listening = await openListening();
    const { head, socket } = await dialRaw(listening.listener.port, asked);
    expect(head.split(' ')[1]).toBe(status);
    socket.destroy();
    expect(listening.accepted).toEqual([]);
  });

  it('hands over a message that came with the upgrade', async () => {
    const listener = await listen({ token: TOKEN });
    const dialled = dialRaw(listener.port);
    const { transport } = await nextOf(listener);
    const { socket } = await dialled;
    socket.write(frameOf(Buffer.from('{"n":1}')));
    const recorder = new Recorder(transport);
    await recorder.messages(1);
    expect(recorder.values).toEqual([{ n: 1 }]);
    socket.destroy();
    await listener.close({ graceMs: 0 });
  });
});

/** The text of the one short frame that has come. */
function textOf([chunk]: unknown[]): string {
  const frame = chunk as Buffer;
  return frame.subarray((frame[1] ?? 0) < 126 ? 2 : 4).toString();
}

/** The code of the close frame that the server sends. */
async function closeCodeOf(socket: Socket): Promise<number> {
  let seen = Buffer.alloc(0);
  for (;;) {
    const [chunk] = (await once(socket, 'data')) as [Buffer];
    seen = Buffer.concat([seen, chunk]);
    const at = seen.indexOf(0x88);
    if (at >= 0 && seen.length >= at + 4) return seen.readUInt16BE(at + 2);
  }
}

async function openPair(limits: PairLimits = {}) {
  const pair = await openWire((url) => webSocketAgent(url.replace('http', 'ws')), { limits });
  return { ...pair, near: pair.far, far: pair.near };
}

async function nextOf(listener: Awaited<ReturnType<typeof listen>>) {
  const { value } = await listener.connections[Symbol.asyncIterator]().next();
  return value;
}

async function dial(port: number): Promise<WebSocket> {
  const socket = new WebSocket(`ws://127.0.0.1:${port}/acp`, { headers: { authorization: `Bearer ${TOKEN}` } });
  socket.on('error', () => {});
  await once(socket, 'open');
  return socket;
}
