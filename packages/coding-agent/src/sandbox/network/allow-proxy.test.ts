import { once } from 'node:events';
import { createServer as createHttpServer, type IncomingMessage, request } from 'node:http';
import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net';
import { text } from 'node:stream/consumers';
import { type AllowedHost, parseAllowedHost } from '@parley/policy/hosts';
import { describe, expect, it, onTestFinished } from 'vitest';
import { type AllowProxyOptions, serveAllowProxy } from './allow-proxy.ts';

interface Opened {
  readonly port: number;
  readonly refusals: readonly string[];
  close(): void;
}

async function openProxy(hosts: readonly string[], options: Partial<AllowProxyOptions> = {}): Promise<Opened> {
  const refusals: string[] = [];
  const listener = createServer();
  const port = await listen(listener);
  const proxy = serveAllowProxy(listener, {
    hosts: hosts.map(parseAllowedHost) as AllowedHost[],
    setting: 'agents.other.sandbox.network',
    env: {},
    onRefusal: (message) => refusals.push(message),
    ...options,
  });
  const close = (): void => proxy[Symbol.dispose]();
  onTestFinished(close);
  return { port, refusals, close };
}

async function listen(server: Server): Promise<number> {
  await once(server.listen(0, '127.0.0.1'), 'listening');
  onTestFinished(() => void server.close());
  return (server.address() as AddressInfo).port;
}

/** A web server that answers with what it was asked. */
function openEcho(): Promise<number> {
  return listen(
    createHttpServer(async (asked, response) => {
      const { method, url, headers } = asked;
      response.setHeader('set-cookie', ['a=1', 'b=2']);
      response.end(JSON.stringify({ method, url, headers, body: await text(asked) }));
    }),
  );
}

interface Answer {
  readonly status: number | undefined;
  readonly body: string;
  readonly headers: IncomingMessage['headers'];
}

async function get(proxy: Opened, url: string, headers: Record<string, string> = {}, body = ''): Promise<Answer> {
  const method = body === '' ? 'GET' : 'POST';
  const asking = request({ port: proxy.port, host: '127.0.0.1', path: url, method, agent: false, headers });
  asking.end(body);
  const [response] = (await once(asking, 'response')) as [IncomingMessage];
  return { status: response.statusCode, body: await text(response), headers: response.headers };
}

/** The first bytes of the answer to `CONNECT`, and the socket. */
async function tunnel(proxy: Opened, target: string): Promise<{ readonly said: string; readonly socket: Socket }> {
  const socket = connect(proxy.port, '127.0.0.1');
  onTestFinished(() => void socket.destroy());
  socket.write(`CONNECT ${target} HTTP/1.1\r\nhost: ${target}\r\n\r\n`);
  const [said] = await once(socket, 'data');
  return { said: String(said), socket };
}

describe('the proxy of a list of hosts', () => {
  it('passes on a request for a listed host, with its own Host header and without headers for the proxy', async () => {
    const port = await openEcho();
    const proxy = await openProxy([`127.0.0.1:${port}`]);
    const headers = {
      host: 'elsewhere.com',
      'proxy-authorization': 'x',
      connection: 'x-hop',
      'x-hop': '1',
      'x-kept': '2',
    };
    const { status, body, headers: answered } = await get(proxy, `http://127.0.0.1:${port}/a?b=c`, headers, 'hello');
    expect(status).toBe(200);
    const asked = JSON.parse(body);
    expect(asked).toMatchObject({ method: 'POST', url: '/a?b=c', body: 'hello' });
    expect(asked.headers).toMatchObject({ host: `127.0.0.1:${port}`, 'x-kept': '2' });
    expect(asked.headers['proxy-authorization']).toBeUndefined();
    expect(asked.headers['x-hop']).toBeUndefined();
    expect(answered['set-cookie']).toEqual(['a=1', 'b=2']);
    expect(proxy.refusals).toEqual([]);
  });

  it('opens a tunnel to a listed host and carries bytes both ways', async () => {
    const port = await listen(createServer((socket) => socket.pipe(socket)));
    const proxy = await openProxy([`localhost:${port}`]);
    const { said, socket } = await tunnel(proxy, `LOCALHOST:${port}`);
    expect(said).toBe('HTTP/1.1 200 Connection established\r\n\r\n');
    socket.end('hello');
    expect(await text(socket)).toBe('hello');
  });

  it('refuses other hosts with a sentence that names host and setting, and reports each once', async () => {
    const proxy = await openProxy(['*.openai.com']);
    const { status, body } = await get(proxy, 'http://evil-openai.com/');
    const [sentence] = proxy.refusals;
    expect(status).toBe(403);
    expect(sentence).toBe(
      'The sandbox refused evil-openai.com:80: it is not in agents.other.sandbox.network. To allow it, add "evil-openai.com" there.',
    );
    expect(body).toBe(`${sentence}\n`);
    await get(proxy, 'http://evil-openai.com/other');
    const { said } = await tunnel(proxy, 'api.openai.com:22');
    expect(said).toMatch(/^HTTP\/1\.1 403 Forbidden\r\n/);
    expect(said).toContain('add "api.openai.com:22" there');
    expect(proxy.refusals).toHaveLength(2);
  });

  it('asks for no name that is not in the list', async () => {
    const names: string[] = [];
    const proxy = await openProxy(['a.example'], {
      resolve: async (host) => {
        names.push(host);
        return [];
      },
    });
    expect((await get(proxy, 'http://secret.b.example/')).status).toBe(403);
    const { status, body } = await get(proxy, 'http://a.example/');
    expect({ status, body }).toEqual({
      status: 502,
      body: 'a.example has no address. Check the name and the network.\n',
    });
    expect(names).toEqual(['a.example']);
  });

  it.each(['127.0.0.1', '10.0.0.1', '169.254.169.254', '::1', 'fd00::1', '::ffff:127.0.0.1', '0.0.0.0'])(
    'refuses a listed name that leads to %s, next to a public address as well',
    async (address) => {
      const proxy = await openProxy(['a.example', '*.b.example'], { resolve: async () => ['93.184.216.34', address] });
      for (const name of ['a.example', 'c.b.example']) {
        const { said } = await tunnel(proxy, `${name}:443`);
        expect(said).toContain(`403 Forbidden`);
        expect(said).toContain(`the name leads to the private address ${address}`);
      }
      expect(proxy.refusals).toHaveLength(2);
    },
  );

  it('reaches a listed name at a private address that is listed as well, and asks for its address once', async () => {
    const port = await openEcho();
    const answers = [['127.0.0.1'], ['192.0.2.1']];
    const proxy = await openProxy([`a.example:${port}`, `127.0.0.1:${port}`], {
      resolve: async () => answers.shift() ?? [],
    });
    const { status, body } = await get(proxy, `http://a.example:${port}/`);
    expect(status).toBe(200);
    expect(JSON.parse(body).headers.host).toBe(`a.example:${port}`);
    expect(answers).toHaveLength(1);
  });

  it.each(['/', 'https://a.example/', 'ftp://a.example/', 'http://'])(
    'answers a request for %j with 400',
    async (url) => {
      const proxy = await openProxy(['a.example']);
      expect(await get(proxy, url)).toMatchObject({ status: 400, body: expect.stringContaining('This is a proxy.') });
      expect((await tunnel(proxy, 'a.example')).said).toContain('400 Bad Request');
    },
  );

  it('answers with 502 when a listed host refuses the connection', async () => {
    const proxy = await openProxy(['127.0.0.1:1']);
    expect(await get(proxy, 'http://127.0.0.1:1/', {}, 'x')).toMatchObject({
      status: 502,
      body: expect.stringContaining('could not be reached: connect ECONNREFUSED'),
    });
    expect((await tunnel(proxy, '127.0.0.1:1')).said).toContain('502 Bad Gateway');
  });

  it('answers with 502 when a listed host answers with an impossible status', async () => {
    const port = await listen(createServer((socket) => socket.end('HTTP/1.1 099 No\r\ncontent-length: 0\r\n\r\n')));
    const proxy = await openProxy([`127.0.0.1:${port}`]);
    expect((await get(proxy, `http://127.0.0.1:${port}/`)).status).toBe(502);
  });

  it('ends a request to a listed host when the client leaves, and serves one request for each connection', async () => {
    let asked = 0;
    const server = createHttpServer(() => {
      asked += 1;
    });
    const port = await listen(server);
    const proxy = await openProxy([`127.0.0.1:${port}`]);
    const client = connect(proxy.port, '127.0.0.1');
    client.write(`GET http://127.0.0.1:${port}/ HTTP/1.1\r\nhost: x\r\n\r\n`.repeat(3));
    const [received] = (await once(server, 'request')) as [IncomingMessage];
    const closed = once(received.socket, 'close');
    client.destroy();
    await closed;
    expect(asked).toBe(1);
  });

  it('refuses headers above its limit', async () => {
    const proxy = await openProxy(['a.example']);
    expect((await get(proxy, 'http://a.example/', { 'x-long': 'x'.repeat(20_000) })).status).toBe(431);
  });

  it('goes through the proxy of the environment, which may know names that this machine does not', async () => {
    const asked: string[] = [];
    const outer = createHttpServer((incoming, response) => {
      asked.push(
        `${incoming.method} ${incoming.url} ${incoming.headers['proxy-authorization']} ${incoming.headers.authorization}`,
      );
      response.end('by the outer proxy');
    });
    outer.on('connect', (incoming, socket) => {
      asked.push(`CONNECT ${incoming.url} ${incoming.headers['proxy-authorization']}`);
      socket.end('HTTP/1.1 200 OK\r\n\r\nhello');
    });
    const port = await listen(outer);
    const env = { HTTPS_PROXY: `http://u:p@127.0.0.1:${port}`, HTTP_PROXY: `http://u:p@127.0.0.1:${port}` };
    const proxy = await openProxy(['a.example', 'b.example'], {
      env,
      resolve: async (host) => (host === 'b.example' ? ['10.0.0.1'] : []),
    });
    expect(await get(proxy, 'http://a.example/x')).toMatchObject({ status: 200, body: 'by the outer proxy' });
    expect((await tunnel(proxy, 'a.example:443')).said).toContain('200 Connection established');
    expect((await tunnel(proxy, 'b.example:443')).said).toContain('403');
    expect((await tunnel(proxy, 'c.example:443')).said).toContain('403');
    const basic = `Basic ${Buffer.from('u:p').toString('base64')}`;
    expect(asked).toEqual([`GET http://a.example/x ${basic} undefined`, `CONNECT a.example:443 ${basic}`]);
  });

  it('ends its tunnels on both sides when it is closed, and takes no further connection', async () => {
    const ended: Promise<unknown>[] = [];
    const port = await listen(
      createServer((socket) => {
        ended.push(once(socket, 'close'));
        socket.on('error', () => {}).resume();
      }),
    );
    const proxy = await openProxy([`127.0.0.1:${port}`]);
    const { socket } = await tunnel(proxy, `127.0.0.1:${port}`);
    socket.on('error', () => {}).resume();
    const closed = once(socket, 'close');
    proxy.close();
    await Promise.all([closed, ...ended]);
    expect(ended).toHaveLength(1);
    const late = connect(proxy.port, '127.0.0.1');
    expect(await once(late, 'error')).toMatchObject([{ code: 'ECONNREFUSED' }]);
  });
});
