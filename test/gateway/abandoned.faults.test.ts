import { connect as connectTcp, type Socket } from 'node:net';
import { connect } from '@parley/client';
import { startFaultProxy } from '@parley/testing/fault-proxy';
import { describe, expect, it } from 'vitest';
import { WebSocket } from 'ws';
import { rounds, until, withDeadline } from '../support/waiting.ts';
import { startGateway } from './support/hosted-gateway.ts';
import { TOKEN, WIRES } from './support/wires.ts';

const ABANDONED = rounds(500);

/** So that nobody has to wait for minutes here; a good client that is slow for a while must live. */
const LIMITS = {
  pingMs: 1000,
  keepAliveMs: 500,
  sseKeepAliveMs: 500,
  idleMs: 2000,
  postIdleMs: 2000,
  headerTimeoutMs: 2000,
  requestTimeoutMs: 4000,
  stallMs: 4000,
} as const;

const INITIALIZE = JSON.stringify({
  jsonrpc: '2.0',
  id: 0,
  method: 'initialize',
  params: { protocolVersion: 1, clientCapabilities: {} },
});
const HEAD = `Host: 127.0.0.1\r\nAuthorization: Bearer ${TOKEN}\r\n`;
const POST = `${HEAD}Content-Type: application/json\r\nAccept: application/json, text/event-stream\r\nContent-Length: ${INITIALIZE.length}\r\n\r\n`;

/** How clients are left behind: each leaves a socket that nobody reads or writes any more. */
const WAYS: Readonly<Record<string, (port: number) => Socket | WebSocket>> = {
  'without a word': (port) => connectTcp(port, '127.0.0.1'),
  'amidst a header': (port) => speak(port, `POST /acp HTTP/1.1\r\n${HEAD}`),
  'amidst a body': (port) => speak(port, `POST /acp HTTP/1.1\r\n${POST}${INITIALIZE.slice(0, 20)}`),
  'after initialize over HTTP': (port) => speak(port, `POST /acp HTTP/1.1\r\n${POST}${INITIALIZE}`),
  'after initialize by plain POST': (port) => speak(port, `POST /acp/post HTTP/1.1\r\n${POST}${INITIALIZE}`),
  'with a stream of HTTP+SSE': (port) =>
    speak(port, `GET /acp/sse?clientId=left-behind HTTP/1.1\r\n${HEAD}Accept: text/event-stream\r\n\r\n`),
  'after initialize over WebSocket': (port) => {
    const socket = new WebSocket(`ws://127.0.0.1:${port}/acp`, { headers: { authorization: `Bearer ${TOKEN}` } });
    socket.once('open', () => socket.send(INITIALIZE));
    socket.on('error', () => {});
    return socket;
  },
};

describe('a gateway whose clients are left behind', () => {
  it(
    'serves a good one all the while, and forgets the others',
    async () => {
      await using served = await startGateway({}, LIMITS);
      await using good = await connect(WIRES.WebSocket(served.port));
      const session = await good.newSession({ cwd: '/' });
      // Behind the proxy, which has its cable pulled, no end of the others is ever heard.
      await using proxy = await startFaultProxy({ port: served.port });
      const ways = Object.values(WAYS);
      const left = Array.from({ length: ABANDONED }, (_, index) => ways[index % ways.length]?.(proxy.port));
      const count = (): number => served.server.state.connections;
      await until('all are there', () => proxy.stats.accepted === ABANDONED);
      proxy.apply({ kind: 'half_open' });
      for (let turn = 0; turn < 20; turn += 1) {
        const { stopReason, text } = await withDeadline(session.prompt(`count 5 ${turn}`).result, `turn ${turn}`);
        expect({ stopReason, text }).toEqual({ stopReason: 'end_turn', text: ' 0 1 2 3 4' });
      }
      await until('only the good one is left', () => count() === 1);
      expect((await withDeadline(session.prompt('count 2').result, 'the last turn')).text).toBe(' 0 1');
      await good.close();
      await until('nobody is left', () => count() === 0);
      for (const socket of left) {
        if (socket instanceof WebSocket) socket.terminate();
        else socket?.destroy();
      }
    },
    120_000 + ABANDONED * 20,
  );
});

function speak(port: number, text: string): Socket {
  const socket = connectTcp(port, '127.0.0.1', () => socket.write(text));
  socket.on('error', () => {});
  return socket;
}
