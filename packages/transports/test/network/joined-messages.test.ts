import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import type { Message } from '@parley/jsonrpc';
import { Recorder } from '@parley/testing/transport-cases';
import fc from 'fast-check';
import { WebSocket as SpecWebSocket } from 'undici';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { WebSocket, WebSocketServer } from 'ws';
import { listen } from '../../src/listen/index.ts';
import { webSocketAgent as browserAgent } from '../../src/websocket/web-socket-agent.ts';
import { never } from './wires.ts';

const TOKEN = 'test-token';

/** Frames that sockets of the platform have received. */
let frames = 0;

class CountingWebSocket extends SpecWebSocket {
  constructor(url: string, protocols?: string[]) {
    super(url, protocols);
    this.addEventListener('message', () => {
      frames += 1;
    });
  }
}

beforeEach(() => {
  frames = 0;
  vi.stubGlobal('WebSocket', CountingWebSocket);
});

describe('messages that share a frame', () => {
  it('are the same messages in the same order, however they were grouped', async () => {
    await using pair = await openPair();
    const { near, far } = pair;
    const recorder = new Recorder(far);
    // Texts with line breaks and of all lengths: beyond what is joined, and beyond what is one fragment.
    const text = fc.oneof(
      { arbitrary: fc.string({ unit: 'binary', maxLength: 40 }), weight: 40 },
      { arbitrary: fc.constantFrom('a\nb\r\n', '\u2028\u2029', 'x'.repeat(70_000), 'ü'.repeat(140_000)), weight: 1 },
    );
    let sent = 0;
    await fc.assert(
      fc.asyncProperty(fc.array(fc.array(text, { maxLength: 30 }), { maxLength: 6 }), async (ticks) => {
        const messages = ticks.map((texts) => texts.map(note));
        for (const tick of messages) {
          await Promise.all(tick.map((message) => near.send(message)));
          await new Promise((resolve) => setImmediate(resolve));
        }
        const expected = messages.flat();
        await recorder.messages(sent + expected.length);
        expect(JSON.stringify(recorder.values.slice(sent))).toBe(JSON.stringify(expected));
        sent += expected.length;
      }),
      { numRuns: 20 },
    );
  });

  it('are those that wait together: three hundred of one tick need few frames, one alone leaves alone', async () => {
    await using pair = await openPair();
    const { near, far } = pair;
    const recorder = new Recorder(far);
    for (let n = 0; n < 300; n += 1) void near.send(note(`message ${n}`));
    await recorder.messages(300);
    expect(frames).toBeLessThan(20);
    const before = frames;
    void near.send(note('alone'));
    await recorder.messages(301);
    expect(frames).toBe(before + 1);
  });

  it('are taken by the server too, from a client that has agreed on it', async () => {
    await using pair = await openPair();
    const recorder = new Recorder(pair.near);
    pair.socket.send('{"n":1}\n{"n":2}\n\n{"n":3}\n');
    pair.socket.send('{"n":4}');
    await recorder.messages(4);
    expect(recorder.values).toEqual([{ n: 1 }, { n: 2 }, { n: 3 }, { n: 4 }]);
  });

  it('are never sent to a client that has not asked for it', async () => {
    const listener = await listen({ token: TOKEN });
    const url = listener.url.replace('http', 'ws');
    const socket = new WebSocket(url, 'acp', { headers: { authorization: `Bearer ${TOKEN}` } });
    const accepted = await listener.connections[Symbol.asyncIterator]().next();
    await once(socket, 'open');
    expect(socket.protocol).toBe('acp');
    const texts: string[] = [];
    const all = new Promise<void>((resolve) => {
      socket.on('message', (data) => texts.push(String(data)) === 100 && resolve());
    });
    for (let n = 0; n < 100; n += 1) void accepted.value?.transport.send(note(String(n)));
    await all;
    expect(texts.map((text) => JSON.parse(text))).toEqual(Array.from({ length: 100 }, (_, n) => note(String(n))));
    socket.terminate();
    await listener.close({ graceMs: 0 });
  });

  it('are not looked for in the frames of a server that has not agreed on it', async () => {
    const server = new WebSocketServer({ host: '127.0.0.1', port: 0, handleProtocols: () => 'acp' });
    await once(server, 'listening');
    server.on('connection', (socket) => socket.send('{\n  "jsonrpc": "2.0",\n  "method": "note"\n}'));
    const { port } = server.address() as AddressInfo;
    const { transport } = await browserAgent(`ws://127.0.0.1:${port}/acp`, { token: TOKEN }).open(never);
    const recorder = new Recorder(transport);
    await recorder.messages(1);
    expect(recorder.values).toEqual([{ jsonrpc: '2.0', method: 'note' }]);
    await transport.close();
    server.close();
  });
});

function note(text: string): Message {
  return { jsonrpc: '2.0', method: 'note', params: { text } };
}

/** Our server, and a client with a socket of the platform that offers what a page offers. */
async function openPair() {
  const listener = await listen({ token: TOKEN });
  const sockets: SpecWebSocket[] = [];
  const Kept = class extends CountingWebSocket {
    constructor(url: string, protocols?: string[]) {
      super(url, protocols);
      sockets.push(this);
    }
  };
  vi.stubGlobal('WebSocket', Kept);
  const { transport: far } = await browserAgent(listener.url.replace('http', 'ws'), { token: TOKEN }).open(never);
  const accepted = await listener.connections[Symbol.asyncIterator]().next();
  const [socket] = sockets;
  if (accepted.done || !socket) throw new Error('There is no connection.');
  expect(socket.protocol).toBe('acp.lines');
  return {
    near: accepted.value.transport,
    far,
    socket,
    async [Symbol.asyncDispose]() {
      await listener.close({ graceMs: 0 });
      await far.close();
    },
  };
}
