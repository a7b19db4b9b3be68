import { startFakeModelServer } from '@parley/testing/fake-model-server';
import { describe, expect, it } from 'vitest';
import { createAnthropicModel } from '../wires/anthropic/anthropic.ts';
import { applyModelEvent, collectAnswer, EMPTY_ANSWER } from './answer.ts';
import { textOf } from './history.ts';
import type { Model, ModelEvent, ModelRequest } from './model.ts';
import { type RetryOptions, withRetries } from './retry.ts';

/** No program is given it by chance. */
const UNUSED_PORT = 2;
const hello: ModelRequest = { messages: [{ role: 'user', content: [{ type: 'text', text: 'hello' }] }] };

/** A patient model whose waits cost nothing and are written down. */
function patient(
  url: string,
  options: RetryOptions & { stallTimeoutMs?: number } = {},
): { model: Model; waits: number[] } {
  const waits: number[] = [];
  const sleep = (delayMs: number): Promise<void> => {
    waits.push(delayMs);
    return Promise.resolve();
  };
  const { stallTimeoutMs = 30_000 } = options;
  const model = createAnthropicModel({ model: 'fake-model', baseUrl: url, stallTimeoutMs });
  return { model: withRetries(model, { random: () => 0, sleep, ...options }), waits };
}

describe('a model with retries', () => {
  it('tries again after errors that allow it, and says so', async () => {
    await using server = await startFakeModelServer({
      script: [{ error: 'overloaded' }, { error: 'server' }, { events: [{ type: 'cut' }] }, 'finally'],
    });
    const { model, waits } = patient(server.url);
    const events: ModelEvent[] = [];
    for await (const event of model.stream(hello)) events.push(event);
    const retries = events.filter((event) => event.type === 'retry');
    expect(retries.map(({ attempt, error }) => [attempt, error.code])).toEqual([
      [1, 'overloaded'],
      [2, 'server'],
      [3, 'network'],
    ]);
    expect(waits).toEqual([2_000, 4_000, 8_000]);
    expect(textOf(events.reduce(applyModelEvent, EMPTY_ANSWER).content)).toBe('finally');
  });

  it('waits at least as long as the provider asks', async () => {
    await using server = await startFakeModelServer({ script: [{ error: 'rate_limit', retryAfterSeconds: 9 }, 'ok'] });
    const { model, waits } = patient(server.url, { random: () => 0 });
    await collectAnswer(model.stream(hello));
    expect(waits).toEqual([9_000]);
  });

  it('does not wait when the provider asks for more patience than a person has', async () => {
    await using server = await startFakeModelServer({ script: [{ error: 'rate_limit', retryAfterSeconds: 3_600 }] });
    const { model, waits } = patient(server.url);
    await expect(collectAnswer(model.stream(hello))).rejects.toMatchObject({
      code: 'rate_limited',
      message: expect.stringContaining('left alone for 3600 s'),
    });
    expect(waits).toEqual([]);
  });

  it('gives up after its last attempt with the last error', async () => {
    await using server = await startFakeModelServer({ fallback: { error: 'overloaded' } });
    const { model } = patient(server.url, { maxAttempts: 3 });
    await expect(collectAnswer(model.stream(hello))).rejects.toMatchObject({
      code: 'overloaded',
      message: expect.stringContaining('It was tried 3 times.'),
    });
    expect(server.requests.length).toBe(3);
  });

  it('does not repeat what a second try cannot cure', async () => {
    await using server = await startFakeModelServer({ script: [{ error: 'auth' }, 'never asked'] });
    const { model } = patient(server.url);
    await expect(collectAnswer(model.stream(hello))).rejects.toMatchObject({ code: 'auth' });
    expect(server.requests.length).toBe(1);
  });

  it.each([
    { type: 'text', text: 'Hal' },
    { type: 'thought', text: 'Hm' },
    { type: 'tool_call', name: 'read_file' },
  ] as const)('begins an answer anew that broke off after a $type, which is no part of it then', async (shown) => {
    await using server = await startFakeModelServer({ script: [{ events: [shown, { type: 'cut' }] }, 'Whole.'] });
    const { model } = patient(server.url);
    const { content, stopReason } = await collectAnswer(model.stream(hello));
    expect({ content, stopReason }).toEqual({ content: [{ type: 'text', text: 'Whole.' }], stopReason: 'end_turn' });
    expect(server.requests.length).toBe(2);
  });

  it('tries again when a server accepts the request and then says nothing', async () => {
    await using server = await startFakeModelServer({ script: [{ events: [{ type: 'stall' }] }, 'awake'] });
    const { model } = patient(server.url, { stallTimeoutMs: 500 });
    expect(textOf((await collectAnswer(model.stream(hello))).content)).toBe('awake');
  });

  it.each(['127.0.0.1', 'localhost'])('says within seconds that nothing listens on %s', async (host) => {
    const { model, waits } = patient(`http://${host}:${UNUSED_PORT}`);
    await expect(collectAnswer(model.stream(hello))).rejects.toMatchObject({
      code: 'network',
      message: expect.stringMatching(/^Nothing listens at http:.* Start the server.* It was tried 3 times\.$/),
    });
    expect(waits).toEqual([1_000, 2_000]);
  });

  it('stays patient with a server that goes down within a turn or an answer', async () => {
    await using server = await startFakeModelServer({
      script: [{ events: [{ type: 'text', text: 'Hal' }, { type: 'cut' }] }],
    });
    const waits: number[] = [];
    const { model } = patient(server.url, {
      sleep: async (delayMs) => {
        if (waits.push(delayMs) === 1) await server.close();
      },
    });
    await expect(collectAnswer(model.stream(hello))).rejects.toThrow('It was tried 10 times.');
    expect(waits.slice(0, 4)).toEqual([2_000, 4_000, 8_000, 16_000]);
    const call = { type: 'tool_call', id: 'a', name: 'read_file', input: {} } as const;
    const worked: ModelRequest = {
      messages: [
        ...hello.messages,
        { role: 'assistant', content: [call] },
        { role: 'tool', results: [{ toolCallId: 'a', toolName: 'read_file', content: [], isError: false }] },
      ],
    };
    await expect(collectAnswer(model.stream(worked))).rejects.toThrow('It was tried 10 times.');
  });

  it('stops waiting at once when the signal fires', async () => {
    await using server = await startFakeModelServer({ fallback: { error: 'overloaded' } });
    const model = withRetries(createAnthropicModel({ model: 'fake-model', baseUrl: server.url }), {
      baseDelayMs: 60_000,
      maxDelayMs: 60_000,
    });
    const controller = new AbortController();
    const reason = new Error('stop');
    const run = (async () => {
      for await (const event of model.stream(hello, { signal: controller.signal })) {
        if (event.type === 'retry') setImmediate(() => controller.abort(reason));
      }
    })();
    await expect(run).rejects.toBe(reason);
  });
});
