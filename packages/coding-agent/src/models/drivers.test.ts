import { type FakeModelServer, type Reply, startFakeModelServer } from '@parley/testing/fake-model-server';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type Answer, applyModelEvent, collectAnswer, EMPTY_ANSWER, messageOf } from './answer.ts';
import { createAnthropicModel } from './anthropic/anthropic.ts';
import { ModelError, type ModelErrorCode } from './errors.ts';
import { createGeminiModel } from './gemini/gemini.ts';
import { type HistoryMessage, textOf, toolCallsOf } from './history.ts';
import type { HttpModelOptions } from './http/http-model.ts';
import type { Model, ModelEvent, ModelRequest } from './model.ts';
import { createOpenAiChatModel } from './openai-chat/openai-chat.ts';
import { createOpenAiResponsesModel } from './openai-responses/openai-responses.ts';

type Options = Omit<HttpModelOptions, 'model' | 'baseUrl'>;

const drivers: readonly { name: string; create: (url: string, options?: Options) => Model }[] = [
  {
    name: 'openai-chat',
    create: (url, options) => createOpenAiChatModel({ model: 'fake-model', baseUrl: `${url}/v1`, ...options }),
  },
  {
    name: 'openai-responses',
    create: (url, options) => createOpenAiResponsesModel({ model: 'fake-model', baseUrl: `${url}/v1`, ...options }),
  },
  {
    name: 'anthropic',
    create: (url, options) => createAnthropicModel({ model: 'fake-model', baseUrl: url, ...options }),
  },
  { name: 'gemini', create: (url, options) => createGeminiModel({ model: 'fake-model', baseUrl: url, ...options }) },
];

const hello: ModelRequest = { messages: [{ role: 'user', content: [{ type: 'text', text: 'hello' }] }] };
const tools = [
  {
    name: 'read_file',
    description: 'Reads a file',
    inputSchema: { type: 'object', properties: { path: { type: 'string' } } },
  },
];

let server: FakeModelServer;
beforeEach(async () => {
  server = await startFakeModelServer();
});
afterEach(async () => {
  await server.close();
});

async function eventsOf(stream: AsyncIterable<ModelEvent>): Promise<ModelEvent[]> {
  const events: ModelEvent[] = [];
  for await (const event of stream) events.push(event);
  return events;
}

async function failureOf(stream: AsyncIterable<ModelEvent>): Promise<{ error: ModelError; answer: Answer }> {
  let answer = EMPTY_ANSWER;
  try {
    for await (const event of stream) answer = applyModelEvent(answer, event);
  } catch (error) {
    if (error instanceof ModelError) return { error, answer };
    throw error;
  }
  throw new Error('the stream ended without an error');
}

describe.each(drivers)('the $name driver', ({ name, create }) => {
  it('streams text in pieces and ends with one stop', async () => {
    server.add('Hello, I am a model with several words to say.');
    const events = await eventsOf(create(server.url).stream(hello));
    expect(events.filter(({ type }) => type === 'text').length).toBeGreaterThan(2);
    expect(events.filter(({ type }) => type === 'stop')).toEqual([{ type: 'stop', reason: 'end_turn' }]);
    expect(events.at(-1)?.type).toBe('stop');
    const answer = events.reduce(applyModelEvent, EMPTY_ANSWER);
    expect(textOf(answer.content)).toBe('Hello, I am a model with several words to say.');
  });

  it('sends the system prompt, the tools and the limit', async () => {
    server.add('ok');
    const request = { ...hello, system: 'Be brief.', tools, maxOutputTokens: 99 };
    await collectAnswer(create(server.url).stream(request));
    const sent = await server.waitForRequest(0);
    expect(sent).toMatchObject({ wire: name, model: 'fake-model', lastUserText: 'hello', tools: ['read_file'] });
    expect(JSON.stringify(sent.body)).toContain('Be brief.');
    expect(JSON.stringify(sent.body)).toContain('99');
  });

  it('reports thoughts apart from text', async () => {
    server.add({
      events: [
        { type: 'thought', text: 'Let me see.', signature: 'sig' },
        { type: 'text', text: 'Done.' },
      ],
    });
    const { content } = await collectAnswer(create(server.url).stream(hello));
    expect(content.map((part) => part.type)).toEqual(['thought', 'text']);
    expect(content[0]).toMatchObject({ text: 'Let me see.' });
  });

  it('assembles several tool calls from their pieces', async () => {
    server.add({
      events: [
        { type: 'text', text: 'Reading.' },
        { type: 'tool_call', id: 'call_a', name: 'read_file', input: { path: 'a.ts', note: 'ünï "quoted"' } },
        { type: 'tool_call', id: 'call_b', name: 'read_file', input: { path: 'b.ts' } },
      ],
    });
    const events = await eventsOf(create(server.url).stream({ ...hello, tools }));
    const answer = events.reduce(applyModelEvent, EMPTY_ANSWER);
    expect(toolCallsOf(messageOf(answer))).toMatchObject([
      { id: 'call_a', name: 'read_file', input: { path: 'a.ts', note: 'ünï "quoted"' } },
      { id: 'call_b', name: 'read_file', input: { path: 'b.ts' } },
    ]);
    expect(answer.stopReason).toBe('tool_use');
    for (const id of ['call_a', 'call_b']) {
      const own = events.filter((event) => 'id' in event && event.id === id).map(({ type }) => type);
      expect(own[0]).toBe('tool_call_start');
      expect(own).toContain('tool_call_delta');
      expect(own.at(-1)).toBe('tool_call_end');
    }
  });

  it('gives an empty input to a call without arguments', async () => {
    server.add({ events: [{ type: 'tool_call', name: 'list_files', rawArguments: '' }] });
    const { content } = await collectAnswer(create(server.url).stream({ ...hello, tools }));
    expect(content).toMatchObject([{ type: 'tool_call', name: 'list_files', input: {} }]);
  });

  it('carries a conversation with tool results that the provider accepts', async () => {
    const model = create(server.url);
    server.add(
      {
        events: [
          { type: 'thought', text: 'Hm.', signature: 'sig-1' },
          { type: 'tool_call', name: 'read_file', input: { path: 'a.ts' }, signature: 'sig-2' },
          { type: 'tool_call', name: 'read_file', input: { path: 'b.ts' } },
        ],
      },
      'All read.',
    );
    const first = messageOf(await collectAnswer(model.stream({ ...hello, tools })));
    const results: HistoryMessage = {
      role: 'tool',
      results: toolCallsOf(first).map(({ id, name: toolName }, index) => ({
        toolCallId: id,
        toolName,
        content: [
          { type: 'text', text: `content ${index}` },
          { type: 'image', mimeType: 'image/png', data: 'aGVsbG8=' },
        ],
        isError: index === 1,
      })),
    };
    const second = await collectAnswer(
      model.stream({ ...hello, messages: [...hello.messages, first, results], tools }),
    );
    expect(textOf(second.content)).toBe('All read.');
    const sent = JSON.stringify(server.requests[1]?.body);
    expect(sent).toContain('content 0');
    expect(sent).toContain('aGVsbG8=');
  });

  it('repairs the history of an interrupted turn before sending it', async () => {
    server.add('Going on.');
    const interrupted: HistoryMessage = {
      role: 'assistant',
      content: [
        { type: 'text', text: ' ' },
        { type: 'tool_call', id: 'functions.read:0', name: 'read_file', input: {} },
      ],
    };
    const messages = [...hello.messages, interrupted, ...hello.messages];
    const answer = await collectAnswer(create(server.url).stream({ messages, tools }));
    expect(textOf(answer.content)).toBe('Going on.');
  });

  it('reports usage with cached tokens as part of the input', async () => {
    server.add({
      events: [
        { type: 'text', text: 'x' },
        { type: 'usage', input: 100, output: 7, cached: 60 },
      ],
    });
    const { usage } = await collectAnswer(create(server.url).stream(hello));
    expect(usage).toMatchObject({ inputTokens: 100, outputTokens: 7, cachedInputTokens: 60 });
  });

  it.each([
    ['max_tokens', 'max_tokens'],
    ['refusal', 'refusal'],
  ] as const)('tells the stop reason %s', async (reason, expected) => {
    server.add({
      events: [
        { type: 'text', text: 'x' },
        { type: 'stop', reason },
      ],
    });
    const { stopReason } = await collectAnswer(create(server.url).stream(hello));
    expect(stopReason).toBe(expected);
  });

  it.each([
    { newline: '\r\n' as const, pieceBytes: 3 },
    { newline: '\r' as const, pieceBytes: 1 },
    { newline: '\n' as const, pieceBytes: 7 },
  ])('understands a stream cut anywhere: $pieceBytes bytes, newline $newline', async (shape) => {
    server.add({
      events: [{ type: 'comment' }, { type: 'text', text: 'héllo 👋 wörld' }, { type: 'comment' }],
      ...shape,
    });
    const { content } = await collectAnswer(create(server.url).stream(hello));
    expect(textOf(content)).toBe('héllo 👋 wörld');
  });

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

  it('sends its key where the provider looks for it', async () => {
    await using guarded = await startFakeModelServer({ script: ['in'], apiKey: 'right' });
    const { error } = await failureOf(create(guarded.url, { apiKey: 'wrong' }).stream(hello));
    expect(error.code).toBe('auth');
    const { content } = await collectAnswer(create(guarded.url, { apiKey: 'right' }).stream(hello));
    expect(textOf(content)).toBe('in');
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

  it('steps over bytes that are no event', async () => {
    server.add({ events: [{ type: 'nonsense' }, { type: 'text', text: 'still here' }] });
    const { content } = await collectAnswer(create(server.url).stream(hello));
    expect(textOf(content)).toBe('still here');
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

  it('passes a huge answer through whole', async () => {
    server.add({ events: [{ type: 'huge', chars: 2_000_000 }] });
    const { content } = await collectAnswer(create(server.url).stream(hello));
    expect(textOf(content).length).toBe(2_000_000);
  });
});

function neverAnswering(signal: AbortSignal | null | undefined): Promise<Response> {
  return new Promise((_, reject) => signal?.addEventListener('abort', () => reject(signal.reason as Error)));
}
