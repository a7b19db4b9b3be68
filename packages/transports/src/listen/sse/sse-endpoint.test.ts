import { describe, expect, it } from 'vitest';
import { openListening } from '../../../test/listen/listening.ts';

const RPC = '/acp/rpc?client_id=me';
const SSE = '/acp/sse?client_id=me';
const request = { jsonrpc: '2.0', id: 1, method: 'initialize', params: {} };

describe('HTTP+SSE', () => {
  it('takes messages with 202, answers with 204, and sends everything on the one stream', async () => {
    await using listening = await openListening();
    const stream = await listening.stream({ path: SSE });
    expect(await listening.ask({ path: RPC, body: request })).toMatchObject({ status: 202, text: '' });
    expect(await stream.message()).toMatchObject({ id: 1, result: { method: 'initialize' } });
    const answer = { jsonrpc: '2.0', id: 9, result: {} };
    expect(await listening.ask({ path: RPC, body: answer })).toMatchObject({ status: 204, text: '' });
    const note = { jsonrpc: '2.0', method: 'session/cancel', params: { sessionId: 's' } };
    expect((await listening.ask({ path: RPC, body: note })).status).toBe(202);
    expect(listening.received).toEqual([request, answer, note]);
    expect(listening.accepted).toMatchObject([{ via: 'sse' }]);
  });

  it('opens with a comment at once, and keeps an idle stream alive', async () => {
    await using listening = await openListening({ limits: { sseKeepAliveMs: 20 } });
    const stream = await listening.stream({ path: SSE });
    expect(stream.response.headers).toMatchObject({
      'content-type': 'text/event-stream',
      'cache-control': 'no-cache, no-transform',
    });
    await stream.more();
    expect(stream.text).toMatch(/^: connected\n\n/);
    while (!stream.text.includes(': ping\n\n: ping\n\n')) await stream.more();
  });

  it.each([
    ['no client_id', { path: '/acp/rpc', body: request }, 400, 'client_id is required\n'],
    ['a blank client_id', { path: '/acp/rpc?client_id=%20', body: request }, 400, 'client_id is required\n'],
    ['a stream without client_id', { method: 'GET', path: '/acp/sse' }, 400, 'client_id is required\n'],
    ['a client_id that is too long', { path: `/acp/rpc?client_id=${'x'.repeat(1025)}`, body: request }, 400, /1024/],
    ['no JSON', { path: RPC, body: '{' }, 400, /^Invalid JSON/],
    ['no JSON-RPC', { path: RPC, body: { id: 1 } }, 400, 'Invalid JSON-RPC payload\n'],
    ['a batch', { path: RPC, body: [request] }, 501, /-32600/],
    ['no JSON type', { path: RPC, body: '{}', headers: { 'content-type': 'text/plain' } }, 415, /Unsupported/],
    ['malformed UTF-8', { path: RPC, body: Buffer.from([0x7b, 0xff, 0x7d]) }, 400, /not UTF-8/],
    ['POST on sse', { path: SSE, body: request }, 405, 'Method Not Allowed\n'],
    ['a body that is too large', { path: RPC, body: { ...request, big: 'x'.repeat(2000) } }, 413, /1000 bytes/],
  ])('refuses %s', async (_, asked, status, text) => {
    await using listening = await openListening({ limits: { maxBodyBytes: 1000 } });
    const answered = await listening.ask(asked);
    expect(answered.status).toBe(status);
    if (typeof text === 'string') expect(answered.text).toBe(text);
    else expect(answered.text).toMatch(text);
    expect(listening.accepted).toEqual([]);
  });

  it.each(['GET', 'PUT', 'DELETE'])('refuses %s on rpc, with and without a client_id', async (method) => {
    await using listening = await openListening();
    for (const path of [RPC, '/acp/rpc']) expect((await listening.ask({ method, path })).status).toBe(405);
  });

  it('keeps what is sent before a stream is there, up to its limit', async () => {
    await using listening = await openListening({ limits: { maxQueueMessages: 200 } });
    const repeat = { jsonrpc: '2.0', method: 'repeat', params: { times: 200 } };
    await listening.ask({ path: RPC, body: repeat });
    const stream = await listening.stream({ path: SSE });
    for (let n = 1; n <= 200; n += 1) expect(await stream.message()).toMatchObject({ params: { n } });
  });

  it('ends a connection for which too much waits, with a reason, and blocks nobody', async () => {
    await using listening = await openListening({ limits: { maxQueueMessages: 200 } }, { answers: false });
    await listening.ask({ path: RPC, body: request });
    const [accepted] = listening.accepted;
    expect(() => {
      for (let n = 0; n <= 201; n += 1) void accepted?.transport.send({ jsonrpc: '2.0', method: 'note' });
    }).toThrow(/closed/);
    await listening.until(() => listening.ends.length === 1);
    expect(listening.ends[0]?.error?.message).toBe(
      'The client reads too slowly, or not at all: 201 messages wait for it.',
    );
  });

  it('lets the newest stream take the place of the older', async () => {
    await using listening = await openListening();
    const older = await listening.stream({ path: SSE });
    const newer = await listening.stream({ path: SSE });
    await older.end();
    expect(older.text).toContain(': replaced by a newer stream\n\n');
    await listening.ask({ path: RPC, body: request });
    expect(await newer.message()).toMatchObject({ id: 1 });
    expect(listening.accepted).toHaveLength(1);
  });

  it('goes on where a stream was cut, and expires when none comes back', async () => {
    await using listening = await openListening({ limits: { idleMs: 300 } });
    const first = await listening.stream({ path: SSE });
    await listening.ask({ path: RPC, body: { jsonrpc: '2.0', method: 'repeat', params: { times: 10 } } });
    for (let n = 1; n <= 5; n += 1) await first.message();
    first.cut();
    const second = await listening.stream({ path: SSE, headers: { 'last-event-id': '5' } });
    for (let n = 6; n <= 10; n += 1) expect(await second.message()).toMatchObject({ params: { n } });
    second.cut();
    await listening.until(() => listening.ends.length === 1);
    expect(listening.ends).toMatchObject([{ kind: 'failed', error: { kind: 'dropped' } }]);
  });

  it('ends in good order with DELETE', async () => {
    await using listening = await openListening();
    const stream = await listening.stream({ path: SSE });
    expect((await listening.ask({ method: 'DELETE', path: SSE })).status).toBe(202);
    expect(await stream.next()).toMatchObject({ type: 'end' });
    await listening.until(() => listening.ends.length === 1);
    expect(listening.ends).toEqual([{ kind: 'ended' }]);
    expect((await listening.ask({ method: 'DELETE', path: SSE })).status).toBe(404);
  });

  it('tells two principals with the same client_id apart', async () => {
    const authorize = ({ token }: { token: string | undefined }) => (token ? { principal: token } : undefined);
    await using listening = await openListening({ authorize });
    await listening.stream({ path: SSE, headers: { authorization: 'Bearer ann' } });
    await listening.stream({ path: SSE, headers: { authorization: 'Bearer bob' } });
    expect(listening.accepted.map(({ principal }) => principal)).toEqual(['ann', 'bob']);
  });
});
