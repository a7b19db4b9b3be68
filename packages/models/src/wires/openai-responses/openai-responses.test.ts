import { startFakeModelServer } from '@parley/testing/fake-model-server';
import { describe, expect, it } from 'vitest';
import { findKnownModel } from '../../discovery/catalog.ts';
import { collectAnswer, messageOf } from '../../model/answer.ts';
import type { HistoryMessage } from '../../model/history.ts';
import type { ModelRequest } from '../../model/model.ts';
import { createOpenAiResponsesModel, type OpenAiResponsesOptions } from './openai-responses.ts';

const user: HistoryMessage = { role: 'user', content: [{ type: 'text', text: 'hello' }] };

async function bodyOf(request: ModelRequest, options: Partial<OpenAiResponsesOptions> = {}): Promise<object> {
  await using server = await startFakeModelServer({ script: ['ok'] });
  const model = createOpenAiResponsesModel({ model: 'r', baseUrl: `${server.url}/v1`, ...options });
  await collectAnswer(model.stream(request));
  return server.requests[0]?.body ?? {};
}

describe('the responses driver in particular', () => {
  it('gives encrypted reasoning back, because nothing is stored there', async () => {
    await using server = await startFakeModelServer({
      script: [
        {
          events: [
            { type: 'thought', text: 'Hm.', signature: 'enc' },
            { type: 'text', text: 'Yes.' },
          ],
        },
        'ok',
      ],
    });
    const model = createOpenAiResponsesModel({ model: 'r', baseUrl: `${server.url}/v1` });
    const message = messageOf(await collectAnswer(model.stream({ messages: [user] })));
    await collectAnswer(model.stream({ messages: [user, message, user] }));
    expect(server.requests[0]?.body).toMatchObject({ store: false, include: ['reasoning.encrypted_content'] });
    expect(server.requests[1]?.body).toMatchObject({
      input: [{}, { type: 'reasoning', encrypted_content: 'enc' }, { type: 'message', role: 'assistant' }, {}],
    });
  });

  it('gives each message back with the phase that it came with', async () => {
    await using server = await startFakeModelServer({
      script: [
        {
          events: [
            { type: 'text', text: 'I look first.', phase: 'commentary' },
            { type: 'text', text: 'Done.', phase: 'final_answer' },
          ],
        },
        'ok',
        'ok',
      ],
    });
    const model = createOpenAiResponsesModel({ model: 'r', baseUrl: `${server.url}/v1` });
    const message = messageOf(await collectAnswer(model.stream({ messages: [user] })));
    await collectAnswer(model.stream({ messages: [user, message, user] }));
    const own = [
      { type: 'message', role: 'assistant', content: 'I look first.', phase: 'commentary' },
      { type: 'message', role: 'assistant', content: 'Done.', phase: 'final_answer' },
    ];
    expect(server.requests[1]?.body).toMatchObject({ input: [{}, ...own, {}] });
    const other = createOpenAiResponsesModel({ model: 'other', baseUrl: `${server.url}/v1` });
    await collectAnswer(other.stream({ messages: [user, message, user] }));
    expect(JSON.stringify(server.requests[2]?.body)).not.toContain('phase');
  });

  it('sends no reasoning of which nothing came, which would be refused', async () => {
    const signature = { modelId: 'r', value: { id: 'rs_1', summary: [], encrypted_content: 'enc' } };
    const cut: HistoryMessage = {
      role: 'assistant',
      content: [
        { type: 'text', text: 'First' },
        { type: 'thought', text: 'and then', signature },
      ],
    };
    expect(JSON.stringify(await bodyOf({ messages: [user, cut, user] }))).not.toContain('rs_1');
  });

  it('does without thoughts in words where the account may not have them', async () => {
    const message = 'Your organization must be verified to generate reasoning summaries.';
    await using server = await startFakeModelServer({
      script: [{ error: 'invalid_request', message }, 'fine', 'fine again'],
    });
    const model = createOpenAiResponsesModel({ model: 'r', baseUrl: `${server.url}/v1` });
    await collectAnswer(model.stream({ messages: [user], thinking: 'high' }));
    await collectAnswer(model.stream({ messages: [user] }));
    expect(server.requests.map(({ body }) => body.reasoning)).toEqual([
      { summary: 'auto', effort: 'high' },
      { effort: 'high' },
      {},
    ]);
  });

  it.each([
    ["Unsupported value: 'none' is not supported with the 'r' model.", [{ summary: 'auto' }, { summary: 'auto' }]],
    ["Unsupported parameter: 'reasoning.effort' is not supported with this model.", [undefined, undefined]],
    ['Encrypted content is not supported with this model.', [undefined, undefined]],
  ])('does without what the model does not take: %s', async (message, then) => {
    await using server = await startFakeModelServer({
      script: [{ error: 'invalid_request', message }, 'fine', 'fine again'],
    });
    const model = createOpenAiResponsesModel({ model: 'r', baseUrl: `${server.url}/v1` });
    await collectAnswer(model.stream({ messages: [user], thinking: 'off' }));
    await collectAnswer(model.stream({ messages: [user], thinking: 'off' }));
    expect(server.requests.slice(1).map(({ body }) => body.reasoning)).toEqual(then);
    const asks = server.requests.map(({ body }) => JSON.stringify(body).includes('encrypted_content'));
    expect(asks).toEqual([true, ...then.map((reasoning) => reasoning !== undefined)]);
  });

  it('takes a call from its last event when the pieces never came', async () => {
    const item = { type: 'function_call', call_id: 'c1', name: 'f', arguments: '{"a":1}' };
    const events = [
      { type: 'response.output_item.done', output_index: 0, item },
      { type: 'response.completed', response: { output: [item] } },
    ];
    const body = events.map((event) => `data: ${JSON.stringify(event)}\n\n`).join('');
    await using server = await startFakeModelServer({
      script: [{ status: 200, contentType: 'text/event-stream', body }],
    });
    const model = createOpenAiResponsesModel({ model: 'r', baseUrl: `${server.url}/v1` });
    const answer = await collectAnswer(model.stream({ messages: [user] }));
    expect(answer).toMatchObject({
      content: [{ type: 'tool_call', id: 'c1', input: { a: 1 } }],
      stopReason: 'tool_use',
    });
  });

  it('names the reason of a response that failed', async () => {
    const failed = {
      type: 'response.failed',
      response: { error: { code: 'rate_limit_exceeded', message: 'slow down' } },
    };
    const body = `data: ${JSON.stringify(failed)}\n\n`;
    await using server = await startFakeModelServer({
      script: [{ status: 200, contentType: 'text/event-stream', body }],
    });
    const model = createOpenAiResponsesModel({ model: 'r', baseUrl: `${server.url}/v1` });
    await expect(collectAnswer(model.stream({ messages: [user] }))).rejects.toMatchObject({ code: 'rate_limited' });
  });

  it('writes reasoning settings only for models that reason', async () => {
    expect(await bodyOf({ messages: [user], thinking: 'off', cacheKey: 'k' })).toMatchObject({
      reasoning: { effort: 'none', summary: 'auto' },
      prompt_cache_key: 'k',
    });
    expect(await bodyOf({ messages: [user], thinking: 'high' }, { canReason: false })).not.toHaveProperty('reasoning');
  });

  it.each([
    ['gpt-6.1-sol', 'max'],
    ['gpt-5.6-terra', 'max'],
    ['gpt-5.2', 'xhigh'],
    ['house-model', 'xhigh'],
  ])('asks %s for the most that it has: %s', async (model, effort) => {
    expect(await bodyOf({ messages: [user], thinking: 'max' }, { model })).toMatchObject({ reasoning: { effort } });
  });

  it('asks a model that cannot stop thinking for its lowest level, not for none', async () => {
    await using server = await startFakeModelServer({ script: ['ok'] });
    const thinkingLevels = findKnownModel('openai', 'gpt-6.1-sol')?.thinkingLevels ?? [];
    const model = createOpenAiResponsesModel({ model: 'gpt-6.1-sol', baseUrl: `${server.url}/v1`, thinkingLevels });
    await collectAnswer(model.stream({ messages: [user], thinking: 'off' }));
    expect(server.requests[0]?.body).toMatchObject({ reasoning: { effort: 'low' } });
  });

  it('marks failed tool results in words', async () => {
    const call: HistoryMessage = { role: 'assistant', content: [{ type: 'tool_call', id: 'c', name: 'f', input: {} }] };
    const result: HistoryMessage = {
      role: 'tool',
      results: [{ toolCallId: 'c', toolName: 'f', content: [{ type: 'text', text: 'no such file' }], isError: true }],
    };
    expect(await bodyOf({ messages: [user, call, result] })).toMatchObject({
      input: [{}, { type: 'function_call' }, { type: 'function_call_output', output: 'Error: no such file' }],
    });
  });
});
