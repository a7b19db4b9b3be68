import { startFakeModelServer } from '@parley/testing/fake-model-server';
import { describe, expect, it } from 'vitest';
import { type Answer, collectAnswer, messageOf } from '../src/model/answer.ts';
import { type History, type HistoryMessage, toolCallsOf } from '../src/model/history.ts';
import { createOpenAiChatModel } from '../src/wires/openai-chat/openai-chat.ts';
import { drivers, hello, tools } from './model-drivers.ts';

const user = (text: string): HistoryMessage => ({ role: 'user', content: [{ type: 'text', text }] });

/** Each call answered by its own id. */
function answersTo(answer: Answer): HistoryMessage {
  const results = toolCallsOf(messageOf(answer)).map(({ id, name }, index) => ({
    toolCallId: id,
    toolName: name,
    content: [{ type: 'text' as const, text: `result ${index}` }],
    isError: false,
  }));
  return { role: 'tool', results };
}

describe.each(drivers)('a history that a provider would refuse, sent by the $name driver', ({ create }) => {
  async function bodyOf(messages: History): Promise<string> {
    await using server = await startFakeModelServer({ script: ['fine'] });
    await collectAnswer(create(server.url).stream({ messages, tools }));
    return JSON.stringify(server.requests[0]?.body);
  }

  it('has no half characters', async () => {
    const body = await bodyOf([user('cut \ud83d here, \\ud83d there, 😀 everywhere')]);
    expect(body).toContain('cut \ufffd here, \\\\ud83d there, 😀 everywhere');
  });

  it('has a note in place of an image that is too large', async () => {
    const image = (data: string): HistoryMessage => ({
      role: 'user',
      content: [{ type: 'image', mimeType: 'image/png', data }],
    });
    expect(await bodyOf([image('A'.repeat(4 * 1024 * 1024))])).toContain('AAAA');
    const body = await bodyOf([image('A'.repeat(6 * 1024 * 1024))]);
    expect(body).toContain('was left out: it takes 6.0 MB as base64');
    expect(body).not.toContain('AAAA');
  });

  it('tells two calls of one id apart, and gives each its own result', async () => {
    await using server = await startFakeModelServer({
      script: [
        {
          events: [
            { type: 'tool_call', name: 'read_file', input: { path: 'a' }, id: 'same' },
            { type: 'tool_call', name: 'read_file', input: { path: 'b' }, id: 'same' },
          ],
        },
        'fine',
      ],
    });
    const model = create(server.url);
    const answer = await collectAnswer(model.stream({ ...hello, tools }));
    const calls = toolCallsOf(messageOf(answer));
    expect(calls.map(({ input }) => input)).toEqual([{ path: 'a' }, { path: 'b' }]);
    expect(new Set(calls.map(({ id }) => id)).size).toBe(2);
    const history = [...hello.messages, messageOf(answer), answersTo(answer)];
    await collectAnswer(model.stream({ messages: history, tools }));
    const body = JSON.stringify(server.requests[1]?.body);
    expect(body.indexOf('result 0')).toBeGreaterThan(0);
    expect(body.indexOf('result 1')).toBeGreaterThan(body.indexOf('result 0'));
  });

  it('has distinct ids for calls of different answers that share one', async () => {
    const call: HistoryMessage = {
      role: 'assistant',
      content: [{ type: 'tool_call', id: 'call_0', name: 'read_file', input: {} }],
    };
    const result = (text: string): HistoryMessage => ({
      role: 'tool',
      results: [{ toolCallId: 'call_0', toolName: 'read_file', content: [{ type: 'text', text }], isError: false }],
    });
    const body = await bodyOf([user('one'), call, result('first'), user('two'), call, result('second')]);
    expect(body).toContain('first');
    expect(body).toContain('second');
  });

  it('has a name for a call that came without one, and for one that no provider would take', async () => {
    await using server = await startFakeModelServer({
      script: [{ events: [{ type: 'tool_call', name: '', id: 'x' }] }, 'fine', 'fine'],
    });
    const model = create(server.url);
    const answer = await collectAnswer(model.stream({ ...hello, tools }));
    await collectAnswer(model.stream({ messages: [...hello.messages, messageOf(answer), answersTo(answer)], tools }));
    expect(JSON.stringify(server.requests[1]?.body)).toContain('unnamed_tool');
    const odd: HistoryMessage = {
      role: 'assistant',
      content: [{ type: 'tool_call', id: 'y', name: 'read file: "a"', input: {} }],
    };
    expect(await bodyOf([user('hi'), odd])).toContain('read_file___a_');
  });
});

describe('servers that want reasoning_content back', () => {
  const look = { type: 'tool_call', name: 'read_file', input: { path: 'a' } } as const;

  it.each(['deepseek-v4', 'kimi-k3'])(
    'get it from %s in every later request, and empty where there was none',
    async (name) => {
      await using server = await startFakeModelServer({
        script: [{ events: [{ type: 'thought', text: 'I should look.' }, look] }, { events: [look] }, 'Done.', 'Yes.'],
      });
      const model = createOpenAiChatModel({ model: name, baseUrl: `${server.url}/v1` });
      let history: History = hello.messages;
      for (let round = 0; round < 3; round++) {
        const answer = await collectAnswer(model.stream({ messages: history, tools }));
        const results = answersTo(answer);
        history = [
          ...history,
          messageOf(answer),
          ...(results.role === 'tool' && results.results.length > 0 ? [results] : []),
        ];
      }
      const last = await collectAnswer(model.stream({ messages: [...history, user('and?')], tools }));
      expect(last.stopReason).toBe('end_turn');
      const { messages } = (await server.waitForRequest(3)).body as { messages: readonly Record<string, unknown>[] };
      const answers = messages.filter(({ role }) => role === 'assistant');
      expect(answers.map(({ reasoning_content }) => reasoning_content)).toEqual(['I should look.', '', undefined]);
    },
  );

  it('are told from those that never sent it, which get none', async () => {
    await using server = await startFakeModelServer({ script: [{ events: [look] }, 'Done.'] });
    const model = createOpenAiChatModel({ model: 'mistral-large', baseUrl: `${server.url}/v1` });
    const answer = await collectAnswer(model.stream({ messages: hello.messages, tools }));
    await collectAnswer(model.stream({ messages: [...hello.messages, messageOf(answer), answersTo(answer)], tools }));
    expect(JSON.stringify(server.requests[1]?.body)).not.toContain('reasoning_content');
  });

  it('may say that they have the field by sending it empty', async () => {
    const chunk = (delta: object, finish: string | null = null) =>
      `data: ${JSON.stringify({ choices: [{ delta, finish_reason: finish }] })}\n\n`;
    const body = [
      chunk({ role: 'assistant', reasoning_content: '', content: 'L' }),
      chunk({ reasoning_content: '', content: 'et me' }),
      chunk({ tool_calls: [{ index: 0, id: 'x', function: { name: 'read_file', arguments: '{}' } }] }, 'tool_calls'),
    ].join('');
    await using server = await startFakeModelServer({
      script: [{ status: 200, contentType: 'text/event-stream', body }, 'Done.'],
    });
    const model = createOpenAiChatModel({ model: 'house-model', baseUrl: `${server.url}/v1` });
    const answer = await collectAnswer(model.stream({ messages: hello.messages, tools }));
    expect(answer.content.map(({ type }) => type)).toEqual(['thought', 'text', 'tool_call']);
    await collectAnswer(model.stream({ messages: [...hello.messages, messageOf(answer), answersTo(answer)], tools }));
    expect(server.requests[1]?.body).toMatchObject({ messages: [{}, { reasoning_content: '' }, {}] });
  });
});
