import {
  type GuardCell,
  GuardSender,
  MATRIX_HOST,
  MATRIX_ORIGIN,
  runGuardMatrix,
  type Verdict,
} from '@parley/testing/guard-matrix';
import { describe, expect, it } from 'vitest';
import { type Listening, openListening, TOKEN } from '../../../test/listen/listening.ts';

const METHODS = ['POST', 'GET', 'DELETE', 'PUT', 'WebSocket'] as const;
const PATHS = ['/acp', '/acp/rpc?client_id=a', '/acp/sse?client_id=a', '/acp/post', '/elsewhere'] as const;

describe('the guard', () => {
  it('lets in only the right cells of Host x Origin x token x method, at agents and at routes', async () => {
    const handle = () => ({ status: 200, body: 'x' });
    await using listening = await openListening({
      hosts: [MATRIX_HOST],
      origins: [MATRIX_ORIGIN],
      token: TOKEN,
      tokens: { ada: 'token-of-ada' },
      routes: { '/open': { access: 'anyone', handle }, '/closed/': { access: 'token', handle } },
    });
    const { cells, wrong } = await runGuardMatrix({
      port: listening.listener.port,
      tokens: [TOKEN, 'token-of-ada'],
      paths: { '/acp': 'token', '/open': 'anyone', '/closed/deep': 'token' },
    });
    expect(wrong).toEqual([]);
    expect(cells).toBe(3 * 11 * 9 * 9 * 7);
    expect(new Set(listening.accepted.map(({ principal }) => principal))).toEqual(new Set(['local', 'ada']));
  }, 300_000);

  it('stands before every path, also those that are none', async () => {
    await using listening = await openListening();
    const host = `localhost:${listening.listener.port}`;
    for (const path of PATHS) {
      for (const method of METHODS) {
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

async function judge(listening: Listening, cell: GuardCell): Promise<Verdict> {
  const sender = new GuardSender(listening.listener.port);
  const verdict = await sender.judge(cell);
  sender.close();
  return verdict;
}
