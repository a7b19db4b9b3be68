import { once } from 'node:events';
import { connect as connectHttp2 } from 'node:http2';
import { connect as connectSocket } from 'node:net';
import { describe, expect, it } from 'vitest';
import { openListening, TOKEN } from '../../../test/listen/listening.ts';
import type { RefusedRequest, Route, RouteRequest } from '../index.ts';

const HELLO: Route = { access: 'anyone', handle: () => ({ status: 200, body: 'hello' }) };

describe('a route', () => {
  it('answers beside the agents, by its path or below it, the longest first', async () => {
    const told = (text: string): Route => ({
      access: 'anyone',
      handle: ({ path, query }) => ({ status: 200, body: `${text} ${path} ${query.get('q') ?? ''}` }),
    });
    const routes = {
      '/': told('root'),
      '/healthz': told('health'),
      '/web/': told('web'),
      '/web/a/': told('a'),
      '/web/a/b': told('b'),
    };
    await using listening = await openListening({ routes });
    const get = async (path: string) => (await listening.ask({ method: 'GET', path })).text;
    expect(await get('/healthz?q=1')).toBe('health /healthz 1');
    expect(await get('/web/')).toBe('web /web/ ');
    expect(await get('/web/x/y.js')).toBe('web /web/x/y.js ');
    expect(await get('/web/a/x')).toBe('a /web/a/x ');
    expect(await get('/web/a/b')).toBe('b /web/a/b ');
    expect(await get('/')).toBe('root / ');
    expect(await get('/healthz/')).toContain('Not Found');
    expect(await get('/web')).toContain('Not Found');
    expect(await get('/web/%2e%2e/healthz')).toContain('Not Found');
    expect(await listening.initialize()).toBeTruthy();
  });

  it('for a token asks for one, and is told whose it was; one for anyone asks nobody', async () => {
    const seen: RouteRequest[] = [];
    const route = (access: Route['access']): Route => ({
      access,
      handle: (request) => {
        seen.push(request);
        return { status: 204 };
      },
    });
    await using listening = await openListening({
      tokens: { ada: TOKEN, ben: 'other' },
      routes: { '/open': route('anyone'), '/closed': route('token') },
    });
    const status = async (path: string, authorization?: string) =>
      (await listening.ask({ method: 'GET', path, headers: { authorization } })).status;
    expect(await status('/open')).toBe(204);
    expect(await status('/closed')).toBe(401);
    expect(await status('/closed', 'Bearer wrong')).toBe(401);
    expect(await status('/closed', 'Bearer other')).toBe(204);
    expect(seen.map(({ principal, remote }) => [principal, remote])).toEqual([
      [undefined, '127.0.0.1'],
      ['ben', '127.0.0.1'],
    ]);
  });

  it('answers HEAD as GET without the body, and refuses methods that it has not', async () => {
    const routes = { '/hello': HELLO, '/take': { ...HELLO, methods: ['POST'] } };
    await using listening = await openListening({ routes });
    const head = await listening.ask({ method: 'HEAD', path: '/hello' });
    expect(head).toMatchObject({ status: 200, text: '', headers: { 'content-length': '5' } });
    const refused = await listening.ask({ method: 'DELETE', path: '/hello' });
    expect(refused).toMatchObject({ status: 405, headers: { allow: 'GET, HEAD, OPTIONS' } });
    expect(await listening.ask({ method: 'HEAD', path: '/take' })).toMatchObject({
      status: 405,
      headers: { allow: 'POST, OPTIONS' },
    });
    expect((await listening.ask({ path: '/take', body: {} })).text).toBe('hello');
  });

  it('says what its body is, and nothing keeps it or guesses otherwise', async () => {
    const handle = ({ path }: RouteRequest) =>
      path === '/kinds/bytes'
        ? { status: 200, body: new Uint8Array([1, 2, 3]) }
        : { status: 200, headers: { 'Content-Type': 'text/html', 'Cache-Control': 'max-age=9' }, body: '<p>é' };
    await using listening = await openListening({ routes: { '/kinds/': { access: 'anyone', handle } } });
    const bytes = await listening.ask({ method: 'GET', path: '/kinds/bytes' });
    expect(bytes.headers).toMatchObject({
      'content-type': 'application/octet-stream',
      'content-length': '3',
      'cache-control': 'no-store',
      'x-content-type-options': 'nosniff',
    });
    const page = await listening.ask({ method: 'GET', path: '/kinds/page' });
    expect(page).toMatchObject({
      text: '<p>é',
      headers: { 'content-type': 'text/html', 'cache-control': 'max-age=9', 'content-length': '5' },
    });
  });

  it('that throws, or answers what cannot be sent, is a 500 without its words', async () => {
    const refusals: RefusedRequest[] = [];
    const fault = new Error('the password is hunter2');
    await using listening = await openListening({
      onRefusal: (refusal) => refusals.push(refusal),
      routes: {
        '/throws': { access: 'anyone', handle: () => Promise.reject(fault) },
        '/odd': { access: 'anyone', handle: () => ({ status: 200, headers: { 'bad name': 'x' } }) },
      },
    });
    for (const path of ['/throws?key=secret', '/odd']) {
      const { status, text } = await listening.ask({ method: 'GET', path });
      expect({ status, text }).toEqual({ status: 500, text: 'Internal Server Error\n' });
    }
    expect(refusals).toMatchObject([
      { status: 500, method: 'GET', path: '/throws', remote: '127.0.0.1', error: fault },
      { status: 500, path: '/odd' },
    ]);
  });

  it('is served over HTTP/2 too', async () => {
    await using listening = await openListening({
      routes: { '/hello': HELLO, '/mine': { ...HELLO, access: 'token' } },
    });
    const session = connectHttp2(`http://127.0.0.1:${listening.listener.port}`);
    const ask = async (fields: Record<string, string>) => {
      const stream = session.request({ ':path': '/hello', ...fields });
      stream.end();
      const [headers] = await once(stream, 'response');
      let text = '';
      for await (const chunk of stream) text += String(chunk);
      return { status: headers[':status'], length: headers['content-length'], text };
    };
    expect(await ask({})).toEqual({ status: 200, length: '5', text: 'hello' });
    expect(await ask({ ':method': 'HEAD' })).toEqual({ status: 200, length: '5', text: '' });
    expect(await ask({ ':path': '/mine' })).toMatchObject({ status: 401 });
    expect(await ask({ ':path': '/mine', authorization: `Bearer ${TOKEN}` })).toMatchObject({ status: 200 });
    session.destroy();
  });
});

describe('what is refused', () => {
  it('is told to whoever wants to hear it, with who it was where that is known', async () => {
    const refusals: RefusedRequest[] = [];
    await using listening = await openListening({
      limits: { maxConnectionsPerPrincipal: (principal) => (principal === 'local' ? 0 : 1) },
      onRefusal: (refusal) => refusals.push(refusal),
    });
    const ask = (headers: Record<string, string | undefined>) =>
      listening.ask({ headers, body: { jsonrpc: '2.0', id: 0, method: 'initialize' } });
    await ask({ authorization: 'Bearer wrong' });
    await ask({ host: 'evil.example' });
    await ask({});
    expect(refusals.map(({ status, principal, path }) => [status, principal, path])).toEqual([
      [401, undefined, '/acp'],
      [403, undefined, '/acp'],
      [503, 'local', '/acp'],
    ]);
    expect(JSON.stringify(refusals)).not.toContain('wrong');
  });

  it('may answer with a stream, piece by piece, and hears when its client is gone', async () => {
    let hasEnded: () => void = () => {};
    const ended = new Promise<void>((resolve) => {
      hasEnded = resolve;
    });
    async function* count(signal: AbortSignal): AsyncGenerator<string | Uint8Array> {
      try {
        yield 'one\n';
        yield Buffer.from('two\n');
        await once(signal, 'abort');
      } finally {
        hasEnded();
      }
    }
    const routes: Record<string, Route> = {
      '/count': { access: 'anyone', handle: ({ signal }) => ({ status: 200, body: count(signal) }) },
      '/fault': {
        access: 'anyone',
        handle: () => ({
          status: 200,
          body: new ReadableStream<string>({ pull: () => Promise.reject(new Error('broken')) }),
        }),
      },
    };
    await using listening = await openListening({ routes });
    const leaving = new AbortController();
    const response = await fetch(new URL('/count', listening.listener.url), { signal: leaving.signal });
    const reader = response.body?.getReader();
    let text = '';
    while (!text.includes('two')) text += new TextDecoder().decode((await reader?.read())?.value);
    expect(text).toBe('one\ntwo\n');
    leaving.abort();
    await ended;
    const fault = await fetch(new URL('/fault', listening.listener.url));
    await expect(fault.text()).rejects.toThrow();
  });

  it('waits with the next piece of a stream while its client reads nothing', async () => {
    let sent = 0;
    async function* pour(): AsyncGenerator<Uint8Array> {
      for (; sent < 10_000; sent += 1) yield new Uint8Array(64 * 1024);
    }
    const routes: Record<string, Route> = {
      '/pour': { access: 'anyone', handle: () => ({ status: 200, body: pour() }) },
    };
    await using listening = await openListening({ routes });
    const { port, hostname } = new URL(listening.listener.url);
    const socket = connectSocket(Number(port), hostname).pause();
    socket.write(`GET /pour HTTP/1.1\r\nhost: ${hostname}\r\n\r\n`);
    let before = -1;
    // It stops when what lies between the two is full.
    while (before !== sent || sent === 0) {
      before = sent;
      await new Promise((resolve) => setTimeout(resolve, 200));
    }
    expect(sent).toBeLessThan(1000);
    socket.destroy();
  });
});
