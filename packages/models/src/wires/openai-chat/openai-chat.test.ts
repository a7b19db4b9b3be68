import { startFakeModelServer } from '@parley/testing/fake-model-server';
import { describe, expect, it } from 'vitest';
import { type Answer, collectAnswer, messageOf } from '../../model/answer.ts';
import type { HistoryMessage } from '../../model/history.ts';
import type { ModelRequest } from '../../model/model.ts';
import { createOpenAiChatModel, type OpenAiChatOptions } from './openai-chat.ts';

const user: HistoryMessage = { role: 'user', content: [{ type: 'text', text: 'hello' }] };

/** The answer to a stream of chunks exactly as some server sends them. */
async function answerTo(...chunks: readonly (object | string)[]): Promise<Answer> {
  const body = chunks.map((chunk) => `data: ${typeof chunk === 'string' ? chunk : JSON.stringify(chunk)}\n\n`).join('');
  await using server = await startFakeModelServer({
    script: [{ status: 200, contentType: 'text/event-stream', body }],
  });
  return await collectAnswer(
    createOpenAiChatModel({ model: 'm', baseUrl: `${server.url}/v1` }).stream({ messages: [user] }),
  );
}

const delta = (value: object, finishReason: string | null = null): object => ({
  choices: [{ delta: value, finish_reason: finishReason }],
});
const piece = (value: object): object => delta({ tool_calls: [value] });

async function bodyOf(request: ModelRequest, options: Partial<OpenAiChatOptions> = {}): Promise<object> {
  await using server = await startFakeModelServer({ script: ['ok'] });
  const model = createOpenAiChatModel({ model: 'm', baseUrl: `${server.url}/v1`, ...options });
  await collectAnswer(model.stream(request));
  return server.requests[0]?.body ?? {};
}

describe('the quirks of chat-completions servers', () => {
  it('makes up an id where there is none', async () => {
    const { content } = await answerTo(
      piece({ index: 0, function: { name: 'read_file', arguments: '{"path":"a"}' } }),
      delta({}, 'tool_calls'),
    );
    expect(content).toMatchObject([{ type: 'tool_call', name: 'read_file', input: { path: 'a' } }]);
    expect(content[0]).toHaveProperty('id', expect.stringMatching(/^.{8,40}$/));
  });

  it('tells parallel calls apart that all say index 0', async () => {
    const { content } = await answerTo(
      piece({ index: 0, id: 'x', function: { name: 'read_file', arguments: '{"path":"a"}' } }),
      piece({ index: 0, id: 'y', function: { name: 'read_file', arguments: '{"path":"b"}' } }),
      delta({}, 'stop'),
    );
    expect(content).toMatchObject([
      { id: 'x', input: { path: 'a' } },
      { id: 'y', input: { path: 'b' } },
    ]);
  });

  it('tells calls apart that have no index, and gives twins different ids', async () => {
    const { content } = await answerTo(
      piece({ function: { name: 'read_file', arguments: { path: 'a' } } }),
      piece({ function: { name: 'read_file', arguments: { path: 'b' } } }),
      delta({}, 'tool_calls'),
    );
    expect(content).toMatchObject([{ input: { path: 'a' } }, { input: { path: 'b' } }]);
    expect(new Set(content.map((part) => 'id' in part && part.id)).size).toBe(2);
  });

  it('accepts a name that is repeated with every piece and arguments that are null', async () => {
    const { content } = await answerTo(
      piece({ index: 0, id: 'x', function: { name: 'read_file', arguments: null } }),
      piece({ index: 0, id: 'x', function: { name: 'read_file', arguments: '{"path":' } }),
      piece({ index: 0, id: 'x', function: { name: 'read_file', arguments: '"a"}' } }),
      delta({}, 'tool_calls'),
    );
    expect(content).toMatchObject([{ id: 'x', input: { path: 'a' } }]);
  });

  it('hands on arguments that are no JSON as an error of that call', async () => {
    const { content, stopReason } = await answerTo(
      piece({ index: 0, id: 'x', function: { name: 'read_file', arguments: '{"path": oops' } }),
      delta({}, 'tool_calls'),
    );
    expect(content).toMatchObject([{ input: {}, inputError: expect.stringContaining('oops') }]);
    expect(stopReason).toBe('tool_use');
  });

  it('says tool_use although the server says stop, and end_turn although it says tool_calls', async () => {
    const called = await answerTo(piece({ index: 0, id: 'x', function: { name: 'f' } }), delta({}, 'stop'));
    expect(called.stopReason).toBe('tool_use');
    const said = await answerTo(delta({ content: 'hi' }), delta({}, 'tool_calls'));
    expect(said.stopReason).toBe('end_turn');
  });

  it('ends without a finish reason when the stream says that it is done', async () => {
    expect((await answerTo(delta({ content: 'hi' }), '[DONE]')).stopReason).toBe('end_turn');
  });

  it.each(['reasoning_content', 'reasoning'])('reads thoughts from %s and gives them back in it', async (field) => {
    const answer = await answerTo(delta({ [field]: 'Hm.' }), delta({ content: 'Yes.' }), delta({}, 'stop'));
    expect(answer.content).toMatchObject([
      { type: 'thought', text: 'Hm.' },
      { type: 'text', text: 'Yes.' },
    ]);
    const running = await bodyOf({ messages: [user, messageOf(answer)] }, { id: 'm' });
    expect(running).toMatchObject({ messages: [{}, { [field]: 'Hm.', content: 'Yes.' }] });
    // DeepSeek and Kimi want theirs in every later request; the other field is for the running turn.
    const later = await bodyOf({ messages: [user, messageOf(answer), user] }, { id: 'm' });
    expect(JSON.stringify(later).includes('Hm.')).toBe(field === 'reasoning_content');
    const elsewhere = await bodyOf({ messages: [user, messageOf(answer)] }, { id: 'another model' });
    expect(JSON.stringify(elsewhere)).not.toContain('Hm.');
  });

  it('takes a call whose name comes late or never', async () => {
    const { content } = await answerTo(
      piece({ index: 0, id: 'x', function: { arguments: '{"path":' } }),
      piece({ index: 0, id: 'x', function: { name: 'read_file', arguments: '"a"}' } }),
      piece({ index: 1, id: 'y', function: { arguments: '{}' } }),
      delta({}, 'tool_calls'),
    );
    expect(content).toMatchObject([
      { id: 'x', name: 'read_file', input: { path: 'a' } },
      { id: 'y', name: '' },
    ]);
  });

  it('joins the pieces of reasoning_details and gives them back whole', async () => {
    const answer = await answerTo(
      delta({ reasoning: 'He', reasoning_details: [{ type: 'reasoning.text', index: 0, text: 'He' }] }),
      delta({
        reasoning: 'llo',
        reasoning_details: [{ type: 'reasoning.text', index: 0, text: 'llo', signature: 's' }],
      }),
      delta({ content: 'Yes.' }, 'stop'),
    );
    const body = await bodyOf({ messages: [user, messageOf(answer)] }, { id: 'm' });
    expect(body).toMatchObject({
      messages: [{}, { reasoning: 'Hello', reasoning_details: [{ index: 0, text: 'Hello', signature: 's' }] }],
    });
  });

  it('sorts out thoughts that were left in the text, wherever the pieces are cut', async () => {
    const { content } = await answerTo(
      ...[...'\n<think>I wonder.</think>\n\nYes <think>no'].map((character) => delta({ content: character })),
      delta({}, 'stop'),
    );
    expect(content).toMatchObject([
      { type: 'thought', text: 'I wonder.' },
      { type: 'text', text: 'Yes <think>no' },
    ]);
  });

  it('understands a server that does not stream', async () => {
    const body = JSON.stringify({
      choices: [{ message: { content: 'all at once' }, finish_reason: 'stop' }],
      usage: { prompt_tokens: 3, completion_tokens: 2 },
    });
    await using server = await startFakeModelServer({
      script: [{ status: 200, contentType: 'application/json', body }],
    });
    const model = createOpenAiChatModel({ model: 'm', baseUrl: `${server.url}/v1` });
    const answer = await collectAnswer(model.stream({ messages: [user] }));
    expect(answer).toMatchObject({ content: [{ text: 'all at once' }], usage: { inputTokens: 3, outputTokens: 2 } });
  });

  it('lives without usage', async () => {
    const { usage, stopReason } = await answerTo(delta({ content: 'hi' }, 'stop'), '[DONE]');
    expect({ usage: usage.inputTokens, stopReason }).toEqual({ usage: 0, stopReason: 'end_turn' });
  });

  it('says in words what a model cannot take', async () => {
    const image: HistoryMessage = { role: 'user', content: [{ type: 'image', mimeType: 'image/png', data: 'AAAA' }] };
    const body = await bodyOf({ messages: [image] }, { accepts: { images: false, audio: false } });
    expect(JSON.stringify(body)).toContain('image/png');
    expect(JSON.stringify(body)).not.toContain('AAAA');
  });

  it('has the cache of Claude marked at OpenRouter, and of no other', async () => {
    await using server = await startFakeModelServer({ fallback: 'ok' });
    for (const model of ['anthropic/claude-opus-5.5', 'house/one']) {
      const created = createOpenAiChatModel({ model, baseUrl: `${server.url}/v1`, dialect: 'openrouter' });
      await collectAnswer(created.stream({ messages: [{ role: 'user', content: [{ type: 'text', text: 'hi' }] }] }));
    }
    expect(server.requests.map(({ body }) => body.cache_control)).toEqual([{ type: 'ephemeral' }, undefined]);
  });

  it('does without the thinking level where the server has none', async () => {
    const message = "Unrecognized request argument supplied: 'reasoning_effort'";
    await using server = await startFakeModelServer({ script: [{ error: 'invalid_request', message }, 'ok', 'ok'] });
    const model = createOpenAiChatModel({ model: 'm', baseUrl: `${server.url}/v1` });
    for (let asked = 0; asked < 2; asked++) await collectAnswer(model.stream({ messages: [user], thinking: 'low' }));
    expect(server.requests.map(({ body }) => body.reasoning_effort)).toEqual(['low', undefined, undefined]);
    server.add({ error: 'invalid_request', message });
    await expect(collectAnswer(model.stream({ messages: [user] }))).rejects.toThrow('Unrecognized');
  });

  it('writes the limit and the thinking level in the words of each dialect', async () => {
    const request: ModelRequest = { messages: [user], maxOutputTokens: 5, thinking: 'high', cacheKey: 's1' };
    expect(await bodyOf(request, { dialect: 'openai' })).toMatchObject({
      max_completion_tokens: 5,
      reasoning_effort: 'high',
      prompt_cache_key: 's1',
    });
    expect(await bodyOf(request, { dialect: 'openrouter' })).toMatchObject({
      max_tokens: 5,
      reasoning: { effort: 'high' },
    });
    expect(await bodyOf(request)).toMatchObject({ max_tokens: 5, reasoning_effort: 'high' });
    expect(await bodyOf({ messages: [user] })).not.toHaveProperty('reasoning_effort');
  });
});
