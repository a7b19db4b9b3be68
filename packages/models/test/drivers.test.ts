import { type FakeModelServer, startFakeModelServer } from '@parley/testing/fake-model-server';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { applyModelEvent, collectAnswer, EMPTY_ANSWER, messageOf } from '../src/model/answer.ts';
import { type HistoryMessage, textOf, toolCallsOf } from '../src/model/history.ts';
import { drivers, eventsOf, failureOf, hello, tools } from './model-drivers.ts';

let server: FakeModelServer;
beforeEach(async () => {
  server = await startFakeModelServer();
});
afterEach(async () => {
  await server.close();
});

describe.each(drivers)('the $name driver', ({ name, create }) => {
  it('shows text while more of it is still to come', async () => {
    server.add({ events: [{ type: 'text', text: 'Hello, ' }, { type: 'stall' }] });
    const seen: string[] = [];
    for await (const event of create(server.url).stream(hello)) {
      if (event.type !== 'text') continue;
      seen.push(event.text);
      if (seen.join('') === 'Hello, ') break;
    }
    expect(seen.join('')).toBe('Hello, ');
  });

  it('gives the whole text and ends with one stop', async () => {
    server.add('Hello, I am a model with several words to say.');
    const events = await eventsOf(create(server.url).stream(hello));
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

  it('sends its key where the provider looks for it', async () => {
    await using guarded = await startFakeModelServer({ script: ['in'], apiKey: 'right' });
    const { error } = await failureOf(create(guarded.url, { apiKey: 'wrong' }).stream(hello));
    expect(error.code).toBe('auth');
    const { content } = await collectAnswer(create(guarded.url, { apiKey: 'right' }).stream(hello));
    expect(textOf(content)).toBe('in');
  });

  it('steps over bytes that are no event', async () => {
    server.add({ events: [{ type: 'nonsense' }, { type: 'text', text: 'still here' }] });
    const { content } = await collectAnswer(create(server.url).stream(hello));
    expect(textOf(content)).toBe('still here');
  });

  it('passes a huge answer through whole', async () => {
    server.add({ events: [{ type: 'huge', chars: 2_000_000 }] });
    const { content } = await collectAnswer(create(server.url).stream(hello));
    expect(textOf(content).length).toBe(2_000_000);
  });
});
