import { once } from 'node:events';
import { connect as connectHttp2 } from 'node:http2';
import type { Socket } from 'node:net';
import { DEFAULT_LISTEN_LIMITS, listen } from '@parley/transports/listen';
import { describe, expect, it } from 'vitest';
import { WebSocket } from 'ws';
import { type Listening, openListening, TOKEN } from './listening.ts';
import { dialRaw } from './raw-web-socket.ts';

const initialize = { jsonrpc: '2.0', id: 0, method: 'initialize', params: {} };
const HEAD = `Host: localhost\r\nAuthorization: Bearer ${TOKEN}\r\nContent-Type: application/json\r\n`;

describe('the limits of a listener', () => {
  it('end a socket that sends nothing, and one whose header never comes to its end', async () => {
    await using listening = await openListening({ limits: { headerTimeoutMs: 300 } });
    const open = async (text = ''): Promise<Socket> => {
      const socket = await listening.socket();
      socket.write(text);
      return socket;
    };
    const head = 'POST /acp HTTP/1.1\r\nHost: localhost\r\n';
    const [stopped, slow, silent] = [await open(head), await open(head), await open()];
    const dripping = setInterval(() => slow.write('X: y\r\n'), 20);
    // What is written to a socket that has just been closed resets it, and the answer may be lost.
    const [answer] = await Promise.all([readAll(stopped), readAll(slow), readAll(silent)]);
    clearInterval(dripping);
    expect(answer).toMatch(/^HTTP\/1\.1 408 /);
    expect((await listening.ask({ body: initialize })).status).toBe(200);
  });

  it('end a request whose body never comes to its end', async () => {
    await using listening = await openListening({ limits: { requestTimeoutMs: 150, headerTimeoutMs: 100 } });
    const socket = await listening.socket();
    socket.write(`POST /acp HTTP/1.1\r\n${HEAD}Content-Length: 100\r\n\r\n{`);
    expect(await readAll(socket)).toMatch(/^HTTP\/1\.1 408 /);
    expect(listening.accepted).toEqual([]);
  });

  it('end the socket of a request whose body comes a byte at a time', async () => {
    await using listening = await openListening({ limits: { requestTimeoutMs: 150, headerTimeoutMs: 100 } });
    const socket = await listening.socket();
    socket.write(`POST /acp HTTP/1.1\r\n${HEAD}Content-Length: 100000\r\n\r\n{`);
    const dripping = setInterval(() => socket.write(' '), 10);
    const answer = await readAll(socket);
    clearInterval(dripping);
    expect(answer).toMatch(/^HTTP\/1\.1 408 /);
  });

  it('end a stream of HTTP/2 whose body comes a byte at a time', async () => {
    await using listening = await openListening({ limits: { requestTimeoutMs: 150 } });
    const session = connectHttp2(`http://127.0.0.1:${listening.listener.port}`);
    const stream = session.request({
      ':method': 'POST',
      ':path': '/acp',
      authorization: `Bearer ${TOKEN}`,
      'content-type': 'application/json',
    });
    stream.on('error', () => {});
    const dripping = setInterval(() => stream.write(' '), 10);
    const status = new Promise((resolve) => stream.once('response', (headers) => resolve(headers[':status'])));
    // Not 'close': Node leaves it out where a write meets the end of the stream.
    await new Promise((resolve) => stream.resume().once('aborted', resolve));
    clearInterval(dripping);
    expect(await status).toBe(408);
    session.destroy();
  });

  it('end slow bodies, and sockets without initialize, within a minute, however slowly the client closes', () => {
    const { requestTimeoutMs, initializeMs, closeTimeoutMs } = DEFAULT_LISTEN_LIMITS;
    expect(requestTimeoutMs).toBeLessThanOrEqual(45_000);
    // They are looked at once a second.
    expect(initializeMs + closeTimeoutMs + 1000).toBeLessThan(60_000);
  });

  it('refuse headers that are too large or too many', async () => {
    await using listening = await openListening({ limits: { maxHeaderBytes: 4096 } });
    const large = await listening.socket();
    large.write(`POST /acp HTTP/1.1\r\n${HEAD}X-Large: ${'x'.repeat(5000)}\r\n\r\n`);
    expect(await readAll(large)).toMatch(/^HTTP\/1\.1 431 /);
    const many = await listening.socket();
    const fields = Array.from({ length: 200 }, (_, n) => `X-${n}: y\r\n`).join('');
    many.write(`POST /acp HTTP/1.1\r\n${HEAD}Connection: close\r\n${fields}\r\n`);
    expect(await readAll(many)).toMatch(/^HTTP\/1\.1 431 /);
  });

  it('refuse a body that is too large before it has arrived, and serve the same socket again', async () => {
    await using listening = await openListening({ limits: { maxBodyBytes: 10_000 } });
    const socket = await listening.socket();
    socket.setEncoding('latin1');
    socket.write(`POST /acp HTTP/1.1\r\n${HEAD}Content-Length: 15000\r\n\r\n`);
    const [refusal] = await once(socket, 'data');
    expect(refusal).toMatch(/^HTTP\/1\.1 413 /);
    socket.write(' '.repeat(15_000));
    const body = JSON.stringify(initialize);
    socket.write(`POST /acp HTTP/1.1\r\n${HEAD}Content-Length: ${body.length}\r\n\r\n${body}`);
    const [answer] = await once(socket, 'data');
    expect(answer).toMatch(/^HTTP\/1\.1 200 /);
    socket.destroy();
  });

  it('refuse a body of unknown length as soon as it is too large, and cut it off when it goes on', async () => {
    await using listening = await openListening({ limits: { maxBodyBytes: 10_000 } });
    const socket = await listening.socket();
    socket.on('error', () => {});
    let answer = '';
    socket.on('data', (chunk) => {
      answer += chunk;
    });
    socket.write(`POST /acp HTTP/1.1\r\n${HEAD}Transfer-Encoding: chunked\r\n\r\n`);
    const chunk = `1000\r\n${'x'.repeat(4096)}\r\n`;
    const pouring = setInterval(() => socket.write(chunk), 1);
    await new Promise((resolve) => socket.once('close', resolve));
    clearInterval(pouring);
    expect(answer).toMatch(/^HTTP\/1\.1 413 /);
  });

  it('refuse a body that is too large over HTTP/2, and serve the same socket again', async () => {
    await using listening = await openListening({ limits: { maxBodyBytes: 10_000 } });
    const session = connectHttp2(`http://127.0.0.1:${listening.listener.port}`);
    const ask = (body: string) => {
      const stream = session.request({
        ':method': 'POST',
        ':path': '/acp',
        authorization: `Bearer ${TOKEN}`,
        'content-type': 'application/json',
      });
      stream.on('error', () => {});
      stream.end(body);
      return new Promise((resolve) => stream.once('response', (headers) => resolve(headers[':status'])));
    };
    expect(await ask('x'.repeat(15_000))).toBe(413);
    expect(await ask(JSON.stringify(initialize))).toBe(200);
    session.destroy();
  });

  it('refuse a message that is nested too deep', async () => {
    await using listening = await openListening();
    const bomb = `{"a":${'['.repeat(100_000)}${']'.repeat(100_000)}}`;
    expect(await listening.ask({ body: bomb })).toMatchObject({
      status: 413,
      text: expect.stringContaining('1000 levels'),
    });
  });

  it('refuse connections beyond their number: 503 with a time to come back, 1013 for pages', async () => {
    await using listening = await openListening({ limits: { maxConnections: 2 }, origins: ['https://app.example'] });
    const sockets = [await dialRaw(listening.listener.port), await dialRaw(listening.listener.port)];
    const refused = await listening.ask({ body: initialize });
    expect(refused).toMatchObject({ status: 503, headers: { 'retry-after': '5' } });
    expect((await listening.ask({ path: '/acp/post', body: initialize })).status).toBe(503);
    expect((await listening.ask({ method: 'GET', path: '/acp/sse?client_id=a' })).status).toBe(503);
    const third = await dialRaw(listening.listener.port);
    expect(third.head).toMatch(/^HTTP\/1\.1 503 .*retry-after: 5/s);
    const page = new WebSocket(`ws://127.0.0.1:${listening.listener.port}/acp`, {
      headers: { authorization: `Bearer ${TOKEN}` },
      origin: 'https://app.example',
    });
    expect((await once(page, 'close'))[0]).toBe(1013);
    sockets[0]?.socket.destroy();
    await listening.until(() => listening.ends.length === 1);
    expect((await listening.ask({ body: initialize })).status).toBe(200);
    for (const { socket } of [...sockets, third]) socket.destroy();
  });

  it('count the connections of each principal for themselves', async () => {
    const authorize = ({ token }: { token: string | undefined }) => (token ? { principal: token } : undefined);
    await using listening = await openListening({ authorize, limits: { maxConnectionsPerPrincipal: 1 } });
    const ask = (token: string) => listening.ask({ headers: { authorization: `Bearer ${token}` }, body: initialize });
    expect((await ask('ann')).status).toBe(200);
    expect(await ask('ann')).toMatchObject({ status: 503, text: 'Too many connections of yours are open\n' });
    expect((await ask('bob')).status).toBe(200);
  });

  it('hold ten thousand abandoned connections within their number, and serve one more who stays', async () => {
    await using listening = await openListening({ limits: { maxConnections: 100, idleMs: 2000 } });
    const good = { 'acp-connection-id': await listening.initialize() };
    const stream = await listening.stream({ headers: good });
    const statuses = new Set<number>();
    const session = connectHttp2(`http://127.0.0.1:${listening.listener.port}`);
    for (let round = 0; round < 100; round += 1) {
      const opened = Array.from({ length: 100 }, () => abandon(session));
      for (const status of await Promise.all(opened)) statuses.add(status);
    }
    session.destroy();
    expect([...statuses].filter((status) => status !== 200 && status !== 503)).toEqual([]);
    expect(listening.accepted.length - listening.ends.length).toBeLessThanOrEqual(100);
    await listening.ask({ headers: good, body: { jsonrpc: '2.0', id: 1, method: 'a' } });
    expect(await stream.message()).toMatchObject({ id: 1 });
    // Those who stay away make room, at the latest when they are too old.
    await listening.until(() => listening.accepted.length - listening.ends.length === 1);
    expect((await listening.ask({ body: initialize })).status).toBe(200);
    expect(listening.ends.every(({ kind }) => kind === 'failed')).toBe(true);
  });

  it('drop a reader of events that takes nothing, and give the next one all of it', async () => {
    await using listening = await openListening({ limits: { stallMs: 1500, replayBytes: 64 * 1024 * 1024 } });
    const connection = { 'acp-connection-id': await listening.initialize() };
    const stuck = await openStuck(listening, connection['acp-connection-id']);
    const [accepted] = listening.accepted;
    const text = 'x'.repeat(1_000_000);
    for (let n = 1; n <= 20; n += 1)
      void accepted?.transport.send({ jsonrpc: '2.0', method: 'note', params: { n, text } });
    const connectionAsSeen = accepted?.transport as unknown as { readonly idleSince?: number };
    while (connectionAsSeen.idleSince === undefined) await new Promise((resolve) => setTimeout(resolve, 10));
    const stream = await listening.stream({ headers: { ...connection, 'last-event-id': '0' } });
    for (let n = 1; n <= 20; n += 1) expect(await stream.message()).toMatchObject({ params: { n } });
    expect(listening.ends).toEqual([]);
    stuck.destroy();
  });

  it('end a WebSocket on which nothing is ever said', async () => {
    await using listening = await openListening({ limits: { idleMs: 200 } });
    const { socket } = await dialRaw(listening.listener.port);
    await listening.until(() => listening.ends.length === 1);
    expect(listening.ends[0]?.error?.message).toBe('The client has said nothing for 200 ms.');
    socket.destroy();
  });

  it('keep nothing of connections that were over before anybody served them', async () => {
    const listener = await listen({ token: TOKEN, limits: { idleMs: 200 } });
    const dialled = [await dialRaw(listener.port), await dialRaw(listener.port)];
    await Promise.all(dialled.map(({ socket }) => new Promise((resolve) => socket.resume().once('close', resolve))));
    await listener.close({ graceMs: 0 });
    const next = await listener.connections[Symbol.asyncIterator]().next();
    expect(next).toEqual({ done: true, value: undefined });
  });

  it('refuse more session streams than there may be', async () => {
    await using listening = await openListening({ limits: { maxSessionStreams: 2 } });
    const connection = { 'acp-connection-id': await listening.initialize() };
    await listening.stream({ headers: connection });
    for (const session of ['a', 'b']) await listening.stream({ headers: { ...connection, 'acp-session-id': session } });
    const third = { ...connection, 'acp-session-id': 'c' };
    expect((await listening.ask({ method: 'GET', headers: third })).status).toBe(429);
  });
});

function readAll(socket: Socket): Promise<string> {
  let text = '';
  socket.on('error', () => {});
  socket.on('data', (chunk) => {
    text += chunk;
  });
  // On a busy machine the server may have closed it already.
  if (socket.closed) return Promise.resolve(text);
  return new Promise((resolve) => socket.once('close', () => resolve(text)));
}

function abandon(session: ReturnType<typeof connectHttp2>): Promise<number> {
  const stream = session.request({
    ':method': 'POST',
    ':path': '/acp',
    authorization: `Bearer ${TOKEN}`,
    'content-type': 'application/json',
  });
  stream.end(JSON.stringify(initialize));
  stream.resume();
  return new Promise((resolve) => stream.once('response', (headers) => resolve(Number(headers[':status']))));
}

async function openStuck(listening: Listening, connectionId: string): Promise<Socket> {
  const socket = await listening.socket();
  socket.on('error', () => {});
  socket.write(`GET /acp HTTP/1.1\r\n${HEAD}Accept: text/event-stream\r\nAcp-Connection-Id: ${connectionId}\r\n\r\n`);
  await once(socket, 'data');
  socket.pause();
  return socket;
}
