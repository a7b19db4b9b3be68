import { execFile } from 'node:child_process';
import { statSync } from 'node:fs';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { request as sendRequest } from 'node:http';
import { connect as connectHttp2 } from 'node:http2';
import { request as sendSecureRequest } from 'node:https';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { WebSocket } from 'ws';
import { openListening, TOKEN } from '../../test/listen/listening.ts';
import { listen } from './listen.ts';

const ROUTE = { access: 'anyone', handle: () => ({ status: 204 }) } as const;

let folder = '';

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'parley-listen-'));
});

afterAll(async () => {
  await rm(folder, { recursive: true });
});

describe('listen', () => {
  it('takes a free port of the loopback, and says where', async () => {
    await using listener = await listen({ token: TOKEN });
    expect(listener.port).toBeGreaterThan(0);
    expect(listener.url).toBe(`http://127.0.0.1:${listener.port}/acp`);
  });

  it.each([
    ['nobody says who may come in', {}, /Give a token, authorize\(\), or say authorize: "anyone"/],
    ['the token is empty', { token: '' }, /The token is empty/],
    ['there are two guards', { token: 'a', authorize: 'anyone' }, /not both/],
    ['there is no token among the tokens', { tokens: {} }, /There is no token/],
    ['the token of somebody is empty', { tokens: { ada: '' } }, /The token of "ada" is empty/],
    ['two have the same token', { tokens: { ada: 'a', ben: 'a' } }, /"ada" and "ben" have the same token/],
    ['somebody has the token of everybody', { token: 'a', tokens: { ben: 'a' } }, /have the same token/],
    ['a principal has no name', { tokens: { '': 'a' } }, /needs a name/],
    ['a route is where agents are', { token: 'a', routes: { '/acp/post': ROUTE } }, /agents are served there/],
    ['a route is at no path', { token: 'a', routes: { 'web/': ROUTE } }, /"web\/" is no path for a route/],
    ['a route is at a path that is another', { token: 'a', routes: { '/a/../b': ROUTE } }, /is no path for a route/],
    ['the port is none', { token: 'a', port: 70_000 }, /70000 is not a port/],
    ['the path is none', { token: 'a', path: 'acp' }, /"acp" is no path/],
    ['an origin has a path', { token: 'a', origins: ['https://a.example/x'] }, /is not an origin/],
    ['the address is not of this machine', { token: 'a', host: '203.0.113.1' }, /has no such address/],
  ] as const)('refuses when %s', async (_, options, message) => {
    await expect(listen(options)).rejects.toMatchObject({
      code: 'listen_failed',
      message: expect.stringMatching(message),
    });
  });

  it('says that an address is in use, and what to do', async () => {
    await using first = await listen({ token: TOKEN });
    const again = listen({ token: TOKEN, port: first.port });
    await expect(again).rejects.toThrow(
      `Cannot listen on 127.0.0.1:${first.port}: the address is in use. Stop the program`,
    );
  });

  it('listens on IPv6, on a path of its own, and lets in anyone when told so', async () => {
    await using listening = await openListening({ host: '::1', path: '/my/agent', authorize: 'anyone' });
    const { url, port } = listening.listener;
    expect(url).toBe(`http://[::1]:${port}/my/agent`);
    const status = await statusOf(sendRequest(`${url}/rpc?client_id=a`, JSON_POST), '{"jsonrpc":"2.0","method":"a"}');
    expect(status).toBe(202);
  });

  it('listens on a unix domain socket', async () => {
    const socketPath = join(folder, 'agent.sock');
    await using listening = await openListening({ socketPath, authorize: 'anyone' });
    expect(listening.listener).toMatchObject({ url: `unix:${socketPath}`, port: 0 });
    const path = '/acp/rpc?client_id=a';
    const status = await statusOf(sendRequest({ socketPath, path, ...JSON_POST }), '{"jsonrpc":"2.0","method":"a"}');
    expect(status).toBe(202);
    expect(listening.accepted).toMatchObject([{ remote: '' }]);
  });

  it('creates the socket for its user alone, or with the mode it is given', async () => {
    const mask = process.umask(0o022);
    onTestFinished(() => void process.umask(mask));
    for (const [name, options, mode] of [
      ['own.sock', {}, 0o600],
      ['group.sock', { socketMode: 0o660 }, 0o660],
    ] as const) {
      const socketPath = join(folder, name);
      await using _listening = await openListening({ socketPath, authorize: 'anyone', ...options });
      expect(statSync(socketPath).mode & 0o777).toBe(mode);
      expect(process.umask()).toBe(0o022);
    }
  });

  it('serves https, HTTP/2 by ALPN and wss with a key and a certificate', async () => {
    const tls = await makeCertificate();
    await using listening = await openListening({ tls });
    const { url, port } = listening.listener;
    expect(url).toBe(`https://127.0.0.1:${port}/acp`);
    const headers = { authorization: `Bearer ${TOKEN}`, 'content-type': 'application/json' };
    const body = '{"jsonrpc":"2.0","id":0,"method":"initialize"}';
    const options = { method: 'POST', headers, ca: tls.cert };
    expect(await statusOf(sendSecureRequest(url, options), body)).toBe(200);

    const session = connectHttp2(url, { ca: tls.cert });
    const stream = session.request({ ':method': 'POST', ':path': '/acp', ...headers });
    stream.end(body);
    const status = await new Promise((resolve) => stream.once('response', (fields) => resolve(fields[':status'])));
    expect(status).toBe(200);
    expect(session.alpnProtocol).toBe('h2');
    session.destroy();

    const socket = new WebSocket(url.replace('https', 'wss'), { headers, ca: tls.cert });
    socket.on('open', () => socket.send('{"jsonrpc":"2.0","id":7,"method":"initialize"}'));
    const text = await new Promise((resolve) => socket.once('message', (data) => resolve(String(data))));
    expect(text).toContain('"id":7');
    socket.terminate();
  });

  it('sends what is queued when it closes, then ends all, and accepts nobody', async () => {
    const listening = await openListening();
    const connection = { 'acp-connection-id': await listening.initialize() };
    const stream = await listening.stream({ headers: connection });
    const [accepted] = listening.accepted;
    for (let n = 0; n < 100; n += 1) void accepted?.transport.send({ jsonrpc: '2.0', method: 'note', params: { n } });
    const closing = listening.listener.close({ graceMs: 10_000 });
    for (let n = 0; n < 100; n += 1) expect(await stream.message()).toMatchObject({ params: { n } });
    expect(await stream.next()).toMatchObject({ type: 'end' });
    await closing;
    expect(listening.ends).toEqual([{ kind: 'closed' }]);
    await expect(listening.initialize()).rejects.toThrow(/ECONNREFUSED/);
    expect(await listening.listener.connections[Symbol.asyncIterator]().next()).toEqual({
      done: true,
      value: undefined,
    });
  });

  it('waits no longer than it was told for a client that does not read', async () => {
    const listening = await openListening();
    await listening.ask({ path: '/acp/rpc?client_id=a', body: { jsonrpc: '2.0', id: 1, method: 'a' } });
    const startedAt = performance.now();
    await listening.listener.close({ graceMs: 50 });
    expect(performance.now() - startedAt).toBeLessThan(10_000);
    expect(listening.ends).toEqual([{ kind: 'closed' }]);
  });
});

const JSON_POST = { method: 'POST', headers: { 'content-type': 'application/json' } };

function statusOf(request: ReturnType<typeof sendRequest>, body: string): Promise<number | undefined> {
  return new Promise((resolve, reject) => {
    request.on('error', reject);
    request.on('response', (response) => {
      response.resume();
      resolve(response.statusCode);
    });
    request.end(body);
  });
}

/** A certificate for the loopback that signs itself, so that it is its own authority. */
async function makeCertificate(): Promise<{ key: string; cert: string }> {
  const [keyFile, certFile] = [join(folder, 'key.pem'), join(folder, 'cert.pem')];
  const subject = ['-subj', '/CN=localhost', '-addext', 'subjectAltName=DNS:localhost,IP:127.0.0.1'];
  const curve = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes', '-days', '2'];
  await promisify(execFile)('openssl', ['req', '-x509', ...curve, ...subject, '-keyout', keyFile, '-out', certFile]);
  return { key: await readFile(keyFile, 'utf8'), cert: await readFile(certFile, 'utf8') };
}
