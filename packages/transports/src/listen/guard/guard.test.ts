import { request as sendRequest } from 'node:http';
import { describe, expect, it } from 'vitest';
import { type Listening, openListening, TOKEN } from '../../../test/listen/listening.ts';
import { dialRaw } from '../../../test/listen/raw-web-socket.ts';

const HOSTS = [
  ['localhost', true],
  ['LOCALHOST.', true],
  ['127.0.0.1', true],
  ['[::1]', true],
  ['agent.example', true],
  ['evil.example', false],
  ['localhost.evil.example', false],
  ['127.0.0.1.evil.example', false],
  ['user@localhost', false],
  ['192.168.7.7', false],
  ['', false],
] as const;

const ORIGINS = [
  [undefined, true],
  ['https://app.example', true],
  ['same', true],
  ['https://evil.example', false],
  ['http://app.example', false],
  ['https://app.example.evil.example', false],
  ['http://localhost', false],
  ['null', false],
  ['', false],
] as const;

const TOKENS = [
  [`Bearer ${TOKEN}`, true],
  [`bearer ${TOKEN}`, true],
  [undefined, false],
  ['Bearer wrong', false],
  [`Bearer ${TOKEN}x`, false],
  [`Basic ${TOKEN}`, false],
  ['Bearer', false],
] as const;

const METHODS = ['POST', 'GET', 'DELETE', 'OPTIONS', 'PUT', 'WebSocket'] as const;
const PATHS = ['/acp', '/acp/rpc?client_id=a', '/acp/sse?client_id=a', '/acp/post', '/elsewhere'] as const;

/** What each cell of the matrix must come to: refused for its host or origin, refused for its token, or let in. */
type Verdict = 'foreign' | 'unauthorized' | 'in';

describe('the guard', () => {
  it('lets in only the right cells of Host x Origin x token x method', async () => {
    await using listening = await openListening({ hosts: ['agent.example'], origins: ['https://app.example'] });
    const { port } = listening.listener;
    const wrong: string[] = [];
    const cells = HOSTS.flatMap((host) => ORIGINS.map((origin) => [host, origin] as const));
    let judged = 0;
    for (const [[name, isOurs], [from, isAllowed]] of cells) {
      const host = name === '' ? '' : `${name}:${port}`;
      const origin = from === 'same' ? `http://${host.toLowerCase()}` : from;
      const rest = TOKENS.flatMap((token) => METHODS.map((method) => [token, method] as const));
      await Promise.all(
        rest.map(async ([[authorization, isRight], method]) => {
          const cell = { host, origin, authorization, method, path: '/acp' };
          // A browser asks before it sends, and sends no token with that.
          const isLocked = method !== 'OPTIONS' && !isRight;
          const expected = !isOurs || !isAllowed ? 'foreign' : isLocked ? 'unauthorized' : 'in';
          const actual = await judge(listening, cell);
          if (actual !== expected) wrong.push(`${JSON.stringify(cell)}: ${actual}, not ${expected}`);
          judged += 1;
        }),
      );
    }
    expect(wrong).toEqual([]);
    expect(judged).toBe(HOSTS.length * ORIGINS.length * TOKENS.length * METHODS.length);
  });

  it('stands before every path, also those that are none', async () => {
    await using listening = await openListening();
    const host = `localhost:${listening.listener.port}`;
    for (const path of PATHS) {
      for (const method of METHODS.filter((each) => each !== 'OPTIONS')) {
        const cell = { host, method, path };
        expect(await judge(listening, { ...cell, authorization: undefined })).toBe('unauthorized');
        expect(await judge(listening, { ...cell, origin: 'https://evil.example' })).toBe('foreign');
      }
    }
  });

  it('answers a browser that asks before it sends, for allowed origins only', async () => {
    await using listening = await openListening({ origins: ['https://app.example'] });
    const ask = (origin: string) =>
      listening.ask({
        method: 'OPTIONS',
        headers: { origin, 'access-control-request-method': 'POST', authorization: undefined },
      });
    const { status, headers } = await ask('https://app.example');
    expect(status).toBe(204);
    expect(headers).toMatchObject({
      'access-control-allow-origin': 'https://app.example',
      'access-control-allow-methods': 'GET, POST, DELETE',
      'access-control-allow-headers': expect.stringMatching(/authorization.*last-event-id.*acp-connection-id/),
      vary: 'Origin',
      allow: 'GET, POST, DELETE, OPTIONS',
    });
    const refused = await ask('https://evil.example');
    expect(refused.status).toBe(403);
    expect(Object.keys(refused.headers).filter((name) => name.startsWith('access-control'))).toEqual([]);
  });

  it('lets a page of an allowed origin read the answers, and no other', async () => {
    await using listening = await openListening({ origins: ['https://app.example'] });
    const body = { jsonrpc: '2.0', id: 0, method: 'initialize' };
    const { headers } = await listening.ask({ headers: { origin: 'https://app.example' }, body });
    expect(headers).toMatchObject({
      'access-control-allow-origin': 'https://app.example',
      'access-control-expose-headers': expect.stringContaining('acp-connection-id'),
    });
    const own = await listening.ask({ body });
    expect(own.headers['access-control-allow-origin']).toBeUndefined();
  });

  it('says how to come in, in the words of HTTP', async () => {
    await using listening = await openListening();
    const { status, headers, text } = await listening.ask({ headers: { authorization: undefined }, body: {} });
    expect(status).toBe(401);
    expect(headers['www-authenticate']).toBe('Bearer realm="acp"');
    expect(text).not.toContain(TOKEN);
  });

  it('asks authorize, which may refuse in its own words, be slow, or fail', async () => {
    await using listening = await openListening({
      authorize: async ({ token, method, url, remote }) => {
        await new Promise((resolve) => setImmediate(resolve));
        if (token === 'broken') throw new Error('the secret of the database');
        if (token === 'late') return { status: 402, message: 'Pay first', headers: { 'x-price': '1' } };
        return token === undefined ? undefined : { principal: `${token} ${method} ${url} ${remote}` };
      },
    });
    const ask = (token: string) =>
      listening.ask({
        headers: { authorization: `Bearer ${token}` },
        body: { jsonrpc: '2.0', id: 0, method: 'initialize' },
      });
    expect(await ask('late')).toMatchObject({ status: 402, text: 'Pay first\n', headers: { 'x-price': '1' } });
    const broken = await ask('broken');
    expect(broken).toMatchObject({ status: 500, text: 'The authorization failed\n' });
    expect((await ask('ann')).status).toBe(200);
    expect(listening.accepted).toMatchObject([{ principal: 'ann POST /acp 127.0.0.1' }]);
  });

  it('takes what the socket was dialled by for its own name, when it listens on all addresses', async () => {
    await using listening = await openListening({ host: '0.0.0.0' });
    const judgeHost = (host: string) =>
      judge(listening, { host, method: 'GET', path: '/acp', authorization: `Bearer ${TOKEN}` });
    expect(await judgeHost('127.0.0.1:80')).toBe('in');
    expect(await judgeHost('192.168.7.7:80')).toBe('foreign');
    expect(await judgeHost('rebound.example')).toBe('foreign');
  });
});

interface Cell {
  readonly host: string;
  readonly method: string;
  readonly path: string;
  readonly origin?: string | undefined;
  readonly authorization?: string | undefined;
}

async function judge(listening: Listening, { method, path, ...fields }: Cell): Promise<Verdict> {
  const { port } = listening.listener;
  const sent = Object.entries(fields).filter((each): each is [string, string] => each[1] !== undefined);
  const status = method === 'WebSocket' ? await upgrade(port, path, sent) : await send(port, { method, path, sent });
  if (status === 403) return 'foreign';
  if (status === 400 && fields.host === '') return 'foreign';
  return status === 401 ? 'unauthorized' : 'in';
}

function send(
  port: number,
  { method, path, sent }: { method: string; path: string; sent: [string, string][] },
): Promise<number> {
  return new Promise((resolve, reject) => {
    const headers = Object.fromEntries(sent);
    const request = sendRequest({ host: '127.0.0.1', port, method, path, headers, agent: false, setHost: false });
    request.on('error', reject);
    request.on('response', (response) => {
      resolve(response.statusCode ?? 0);
      request.destroy();
    });
    request.end();
  });
}

async function upgrade(port: number, path: string, sent: [string, string][]): Promise<number> {
  const names: Record<string, string> = { host: 'Host', origin: 'Origin', authorization: 'Authorization' };
  const headers = Object.fromEntries(sent.map(([name, value]) => [names[name] ?? name, value]));
  const { head, socket } = await dialRaw(port, { path, headers: { Authorization: '', ...headers } });
  socket.destroy();
  return Number(head.split(' ')[1]);
}
