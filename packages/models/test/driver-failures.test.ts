import { type FakeModelServer, type Reply, startFakeModelServer } from '@parley/testing/fake-model-server';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { ModelErrorCode } from '../src/model/errors.ts';
import { textOf } from '../src/model/history.ts';
import { drivers, eventsOf, failureOf, hello } from './model-drivers.ts';

let server: FakeModelServer;
beforeEach(async () => {
  server = await startFakeModelServer();
});
afterEach(async () => {
  await server.close();
});

describe.each(drivers)('the $name driver in trouble', ({ create }) => {
  it.each([
    ['auth', 'auth', false],
    ['rate_limit', 'rate_limited', true],
    ['overloaded', 'overloaded', true],
    ['server', 'server', true],
    ['quota', 'quota', false],
    ['context_too_long', 'context_too_long', false],
    ['invalid_request', 'invalid_request', false],
    ['not_found', 'unknown_model', false],
  ] as const)('names the error %s', async (kind, code, isRetryable) => {
    server.add({ error: kind });
    const { error } = await failureOf(create(server.url, { apiKey: 'secret-key' }).stream(hello));
    expect({ code: error.code, isRetryable: error.isRetryable }).toEqual({ code, isRetryable });
    expect(error.message).not.toContain('secret-key');
  });

  it('hears how long it should wait', async () => {
    server.add({ error: 'rate_limit', retryAfterSeconds: 3 });
    const { error } = await failureOf(create(server.url).stream(hello));
    expect(error.retryAfterMs).toBe(3_000);
  });

  const broken: readonly { what: string; reply: Reply; code: ModelErrorCode }[] = [
    {
      what: 'a connection cut in the middle',
      reply: { events: [{ type: 'text', text: 'Hal' }, { type: 'cut' }] },
      code: 'network',
    },
    {
      what: 'an answer that ends too early',
      reply: { events: [{ type: 'text', text: 'Hal' }, { type: 'end_early' }] },
      code: 'network',
    },
    {
      what: 'an event that is no JSON',
      reply: { events: [{ type: 'text', text: 'Hal' }, { type: 'invalid_json' }] },
      code: 'protocol',
    },
    {
      what: 'an error inside the stream',
      reply: {
        events: [
          { type: 'text', text: 'Hal' },
          { type: 'error', kind: 'overloaded' },
        ],
      },
      code: 'overloaded',
    },
    { what: 'a web page', reply: { status: 200, contentType: 'text/html', body: '<html></html>' }, code: 'protocol' },
    {
      what: 'JSON of some other service',
      reply: { status: 200, contentType: 'application/json', body: '[1]' },
      code: 'protocol',
    },
    {
      what: 'an error in a 200',
      reply: { status: 200, contentType: 'application/json', body: '{"error":{"message":"overloaded"}}' },
      code: 'overloaded',
    },
    { what: 'nothing but bytes', reply: { events: [{ type: 'nonsense' }, { type: 'end_early' }] }, code: 'network' },
  ];
  it.each(broken)('fails clearly on $what', async ({ reply, code }) => {
    server.add(reply);
    const { error } = await failureOf(create(server.url).stream(hello));
    expect(error.code).toBe(code);
  });

  it('keeps what arrived before the connection broke', async () => {
    server.add({ events: [{ type: 'text', text: 'Half an answer' }, { type: 'cut' }] });
    const { answer } = await failureOf(create(server.url).stream(hello));
    expect(textOf(answer.content)).toBe('Half an answer');
  });

  it('gives up on a server that went silent', async () => {
    server.add({ events: [{ type: 'text', text: 'x' }, { type: 'stall' }] });
    const { error } = await failureOf(create(server.url, { stallTimeoutMs: 40 }).stream(hello));
    expect(error).toMatchObject({ code: 'stalled', isRetryable: true });
    expect(await server.requests[0]?.ended).toBe('aborted');
  });

  it('gives up on a server that never begins', async () => {
    const { error } = await failureOf(
      create(server.url, { firstByteTimeoutMs: 40, fetch: (_, { signal }) => neverAnswering(signal) }).stream(hello),
    );
    expect(error.code).toBe('stalled');
  });

  it('cancels the request at once when the signal fires', async () => {
    server.add({ events: [{ type: 'text', text: 'x' }, { type: 'stall' }] });
    const controller = new AbortController();
    const reason = new Error('the person pressed stop');
    const stream = create(server.url).stream(hello, { signal: controller.signal });
    const run = (async () => {
      for await (const event of stream) if (event.type === 'text') controller.abort(reason);
    })();
    await expect(run).rejects.toBe(reason);
    expect(await server.requests[0]?.ended).toBe('aborted');
  });

  it('cancels the request when the consumer leaves', async () => {
    server.add({ events: [{ type: 'text', text: 'x' }, { type: 'stall' }] });
    for await (const event of create(server.url).stream(hello)) if (event.type === 'text') break;
    expect(await server.requests[0]?.ended).toBe('aborted');
  });

  it('sends nothing when the signal has already fired', async () => {
    const reason = new Error('too late');
    const stream = create(server.url).stream(hello, { signal: AbortSignal.abort(reason) });
    await expect(eventsOf(stream)).rejects.toBe(reason);
    expect(server.requests).toEqual([]);
  });

  it('says so when nobody listens at the address', async () => {
    await server.close();
    const { error } = await failureOf(create(server.url).stream(hello));
    expect(error).toMatchObject({ code: 'network', isRetryable: true });
    expect(error.message).toContain(server.url);
  });
});

function neverAnswering(signal: AbortSignal | null | undefined): Promise<Response> {
  return new Promise((_, reject) => signal?.addEventListener('abort', () => reject(signal.reason as Error)));
}
