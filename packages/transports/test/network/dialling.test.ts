import { once } from 'node:events';
import { createServer, type IncomingMessage } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { createCertificates } from '@parley/testing/certificates';
import { Recorder } from '@parley/testing/transport-cases';
import { describe, expect, it, onTestFinished } from 'vitest';
import { httpAgent, postAgent } from '../../src/http/node/index.ts';
import { type ListenOptions, listen, type RequestToAuthorize } from '../../src/listen/index.ts';
import type { NetworkAgent } from '../../src/network/dial-options.ts';
import type { NodeDialOptions } from '../../src/network/node/node-dial-options.ts';
import { findProxy } from '../../src/network/node/proxy.ts';
import { sseAgent } from '../../src/sse/node/index.ts';
import { webSocketAgent } from '../../src/websocket/node/index.ts';
import { closeServers, serveHttp } from './odd-servers.ts';
import { INITIALIZE, never } from './wires.ts';

closeServers();

type Create = (url: string, options: NodeDialOptions) => NetworkAgent;

const KINDS: readonly { readonly kind: string; readonly create: Create }[] = [
  { kind: 'WebSocket', create: (url, options) => webSocketAgent(url.replace(/^http/, 'ws'), options) },
  { kind: 'streamable HTTP', create: httpAgent },
  { kind: 'HTTP+SSE', create: sseAgent },
  { kind: 'plain POST', create: (url, options) => postAgent(`${url}/post`, options) },
];

describe.each(KINDS)('a dial over $kind', ({ create }) => {
  it('has a fresh token each time, and the header fields that it was given', async () => {
    const { url, requests } = await serve();
    let tokens = 0;
    const token = async () => `token-${++tokens}`;
    const agent = create(url, { token, headers: () => ({ 'x-team': 'red' }) });
    await initialize(agent);
    await initialize(agent);
    const seen = requests.map(({ headers }) => headers.authorization);
    expect(seen.length).toBeGreaterThanOrEqual(2);
    expect(seen.map((each) => Number(/^Bearer token-(\d+)$/.exec(each ?? '')?.[1])).sort((a, b) => a - b)).toEqual(
      seen.map((_, index) => index + 1),
    );
    expect(new Set(requests.map(({ headers }) => headers['x-team']))).toEqual(new Set(['red']));
  });

  it('goes over TLS with a private authority', async () => {
    const { ca, cert, key } = createCertificates();
    const { url } = await serve({ tls: { cert, key } });
    expect(url).toMatch(/^https:/);
    expect(await initialize(create(url, { ca }))).toMatchObject({ result: { protocolVersion: 1 } });
  });

  it('goes through a proxy, with TLS inside', async () => {
    const { ca, cert, key } = createCertificates();
    const { url } = await serve({ tls: { cert, key } });
    const proxy = await serveProxy();
    expect(await initialize(create(url, { ca, proxy: `http://me:pass@${proxy.host}` }))).toMatchObject({
      result: { protocolVersion: 1 },
    });
    expect(proxy.asked).toContainEqual({ to: new URL(url).host, user: 'me:pass' });
  });

  it('goes through a proxy without TLS', async () => {
    const { url } = await serve();
    const proxy = await serveProxy();
    expect(await initialize(create(url, { proxy: `http://${proxy.host}` }))).toMatchObject({
      result: { protocolVersion: 1 },
    });
    expect(proxy.asked[0]?.to).toBe(new URL(url).host);
  });

  it('ends when its signal aborts, and leaves nothing behind', async () => {
    const { url } = await serve();
    const controller = new AbortController();
    controller.abort(new Error('changed my mind'));
    await expect(create(url, {}).open(controller.signal)).rejects.toThrow('changed my mind');
  });
});

describe('streamable HTTP', () => {
  it('speaks HTTP/2 where TLS agrees on it', async () => {
    const { ca, cert, key } = createCertificates();
    const { url, requests } = await serve({ tls: { cert, key } });
    await initialize(httpAgent(url, { ca }));
    expect(requests.map(({ headers }) => headers[':path'])).toContain('/acp');
  });

  it('sends the cookies of the server back, in later dials too', async () => {
    const seen: (string | undefined)[] = [];
    const host = await serveHttp((request, response) => {
      request.resume();
      seen.push(request.headers.cookie);
      response.setHeader('set-cookie', ['node=a7; Path=/; HttpOnly', 'gone=1; Max-Age=0']);
      if (request.method === 'GET') response.writeHead(200, { 'content-type': 'text/event-stream' }).flushHeaders();
      else if (request.method === 'DELETE') response.writeHead(202).end();
      else {
        response.writeHead(200, { 'content-type': 'application/json', 'acp-connection-id': 'one' });
        response.end(JSON.stringify({ jsonrpc: '2.0', id: INITIALIZE.id, result: {} }));
      }
    });
    const agent = httpAgent(`http://${host}/acp`);
    await initialize(agent);
    await initialize(agent);
    const [first, ...later] = seen;
    expect(first).toBeUndefined();
    expect(later.length).toBeGreaterThan(2);
    expect(new Set(later)).toEqual(new Set(['node=a7']));
  });

  it('answers a request that the server refuses with an error, and goes on', async () => {
    let posts = 0;
    const host = await serveHttp((request, response) => {
      request.resume();
      if (request.method === 'GET')
        return void response.writeHead(200, { 'content-type': 'text/event-stream' }).flushHeaders();
      posts += 1;
      if (posts === 1) {
        response.writeHead(200, { 'content-type': 'application/json', 'acp-connection-id': 'one' });
        response.end(JSON.stringify({ jsonrpc: '2.0', id: INITIALIZE.id, result: {} }));
      } else if (posts === 2) response.writeHead(500).end('out of memory');
      else response.writeHead(202).end();
    });
    const { transport } = await httpAgent(`http://${host}/acp`).open(never);
    onTestFinished(() => transport.close());
    const recorder = new Recorder(transport);
    void transport.send(INITIALIZE);
    await recorder.messages(1);
    void transport.send({ jsonrpc: '2.0', id: 7, method: 'session/list' });
    await recorder.messages(2);
    expect(recorder.values[1]).toMatchObject({
      id: 7,
      error: { code: -32603, data: { status: 500, body: 'out of memory' } },
    });
    await transport.send({ jsonrpc: '2.0', method: 'note' });
    await transport.whenSent?.();
    expect(recorder.closes).toEqual([]);
  });
});

describe('findProxy', () => {
  const env = {
    HTTPS_PROXY: 'http://secure:1',
    HTTP_PROXY: 'plain:2',
    NO_PROXY: 'a.example, .b.example:8443 c.example:80',
  };
  const found = (url: string, more = {}) => findProxy(new URL(url), undefined, { ...env, ...more })?.host;

  it('follows the usual variables', () => {
    expect(found('https://x.example')).toBe('secure:1');
    expect(found('wss://x.example')).toBe('secure:1');
    expect(found('http://x.example')).toBe('plain:2');
    expect(found('ws://x.example', { http_proxy: 'lower:3' })).toBe('lower:3');
    expect(found('https://x.example', { NO_PROXY: '*' })).toBeUndefined();
    expect(findProxy(new URL('https://x.example'), undefined, {})).toBeUndefined();
  });

  it('leaves out what NO_PROXY names, and this machine', () => {
    for (const url of ['https://a.example', 'https://sub.a.example', 'https://sub.b.example:8443', 'ws://c.example']) {
      expect(found(url)).toBeUndefined();
    }
    for (const url of ['http://127.0.0.1:80', 'https://localhost', 'ws://[::1]:1']) expect(found(url)).toBeUndefined();
    for (const url of ['https://nota.example', 'https://sub.b.example', 'wss://c.example']) {
      expect(found(url)).toBe('secure:1');
    }
  });

  it('goes by the option before all else', () => {
    expect(findProxy(new URL('https://127.0.0.1'), 'http://mine:9', env)?.host).toBe('mine:9');
    expect(findProxy(new URL('https://x.example'), false, env)).toBeUndefined();
    expect(() => findProxy(new URL('https://x.example'), 'socks5://mine:9', env)).toThrow(/not supported/);
  });
});

/** A listener with an agent that answers `initialize`. */
async function serve(options: ListenOptions = {}) {
  const requests: RequestToAuthorize[] = [];
  const listener = await listen({
    ...options,
    authorize: (request) => {
      requests.push(request);
      return { principal: 'me' };
    },
  });
  onTestFinished(() => listener.close({ graceMs: 0 }));
  void (async () => {
    for await (const { transport } of listener.connections) {
      transport.onMessage(
        () => void transport.send({ jsonrpc: '2.0', id: INITIALIZE.id, result: { protocolVersion: 1 } }),
      );
    }
  })();
  return { url: listener.url, requests };
}

async function initialize(agent: NetworkAgent): Promise<unknown> {
  const { transport } = await agent.open(never);
  const recorder = new Recorder(transport);
  void transport.send(INITIALIZE);
  await recorder.until(() => recorder.deliveries.length > 0);
  await transport.close();
  const [first] = recorder.deliveries;
  return first?.kind === 'message' ? first.value : first;
}

/** A proxy for `CONNECT`. */
async function serveProxy() {
  const asked: { to: string | undefined; user: string }[] = [];
  const server = createServer();
  const sockets = new Set<Socket>();
  server.on('connect', (request: IncomingMessage, client: Socket) => {
    const [, basic = ''] = (request.headers['proxy-authorization'] ?? '').split(' ');
    asked.push({ to: request.url, user: Buffer.from(basic, 'base64').toString() });
    const [host = '', port] = (request.url ?? '').split(':');
    const target = connect(Number(port), host, () => {
      client.write('HTTP/1.1 200 Connection established\r\n\r\n');
      target.pipe(client).pipe(target);
    });
    for (const socket of [client, target]) {
      sockets.add(socket);
      socket.on('error', () => {});
    }
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy();
    server.close();
  });
  return { host: `127.0.0.1:${(server.address() as AddressInfo).port}`, asked };
}
