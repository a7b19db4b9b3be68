import { startFakeModelServer } from '@parley/testing/fake-model-server';
import { describe, expect, it } from 'vitest';
import { collectAnswer, messageOf } from '../../model/answer.ts';
import type { HistoryMessage } from '../../model/history.ts';
import type { ModelRequest } from '../../model/model.ts';
import { type AnthropicOptions, createAnthropicModel } from './anthropic.ts';

const user: HistoryMessage = { role: 'user', content: [{ type: 'text', text: 'hello' }] };

async function bodyOf(request: ModelRequest, options: Partial<AnthropicOptions> = {}): Promise<object> {
  await using server = await startFakeModelServer({ script: ['ok'] });
  await collectAnswer(createAnthropicModel({ model: 'claude', baseUrl: server.url, ...options }).stream(request));
  return server.requests[0]?.body ?? {};
}

describe('the anthropic driver in particular', () => {
  it('marks the system prompt, the newest message and the end of the request before it for the cache', async () => {
    const body = await bodyOf({
      system: 'S',
      messages: [user, { role: 'assistant', content: [{ type: 'text', text: 'a' }] }, user],
    });
    const mark = { cache_control: { type: 'ephemeral' } };
    expect(body).toMatchObject({ system: [mark], messages: [{ content: [mark] }, {}, { content: [mark] }] });
    expect(JSON.stringify(body).split('cache_control').length - 1).toBe(3);
  });

  it('has a mark where the cache of the last request ends, however many calls came since', async () => {
    const calls = Array.from({ length: 14 }, (_, index) => `call_${index}`);
    const answer: HistoryMessage = {
      role: 'assistant',
      content: calls.map((id) => ({ type: 'tool_call', id, name: 'read_file', input: {} })),
    };
    const results: HistoryMessage = {
      role: 'tool',
      results: calls.map((id) => ({
        toolCallId: id,
        toolName: 'read_file',
        content: [{ type: 'text', text: id }],
        isError: false,
      })),
    };
    const { messages } = (await bodyOf({ messages: [user, answer, results] })) as { messages: { content: object[] }[] };
    const marked = messages.map(({ content }) => content.map((block) => 'cache_control' in block));
    expect(marked.map((blocks) => blocks.at(-1))).toEqual([true, false, true]);
    expect(marked.flat().filter(Boolean)).toHaveLength(2);
  });

  it('gives signed and redacted thoughts back to the model that made them, and to no other', async () => {
    const thoughts: HistoryMessage = {
      role: 'assistant',
      content: [
        { type: 'thought', text: 'Hm.', signature: { modelId: 'claude', value: { signature: 'sig' } } },
        { type: 'thought', text: '', signature: { modelId: 'claude', value: { redacted: 'xyz' } } },
        { type: 'thought', text: 'unsigned' },
        { type: 'text', text: 'Yes.' },
      ],
    };
    expect(await bodyOf({ messages: [user, thoughts, user] })).toMatchObject({
      messages: [
        {},
        {
          content: [
            { type: 'thinking', thinking: 'Hm.', signature: 'sig' },
            { type: 'redacted_thinking', data: 'xyz' },
            { type: 'text', text: 'Yes.' },
          ],
        },
        {},
      ],
    });
    const other = JSON.stringify(await bodyOf({ messages: [user, thoughts, user] }, { id: 'other' }));
    expect(other).not.toContain('thinking":"Hm.');
  });

  it('keeps the signature that came with a thought', async () => {
    await using server = await startFakeModelServer({
      script: [
        {
          events: [
            { type: 'thought', text: 'Hm.', signature: 'abc' },
            { type: 'text', text: 'x' },
          ],
        },
      ],
    });
    const model = createAnthropicModel({ model: 'claude', baseUrl: server.url });
    const message = messageOf(await collectAnswer(model.stream({ messages: [user] })));
    expect(message.content[0]).toEqual({
      type: 'thought',
      text: 'Hm.',
      signature: { modelId: 'claude', value: { signature: 'abc' } },
    });
  });

  it.each([
    ['adaptive', 'off', { thinking: { type: 'disabled' } }],
    ['between_tools', 'off', { thinking: { type: 'between_tools' } }],
    ['always', 'off', { thinking: { type: 'adaptive' }, output_config: { effort: 'low' } }],
    ['adaptive', 'max', { thinking: { type: 'adaptive', display: 'summarized' }, output_config: { effort: 'max' } }],
    ['budget', 'medium', { thinking: { type: 'enabled', budget_tokens: 8_192 } }],
  ] as const)('writes thinking for a model of kind %s at level %s', async (thinking, level, fields) => {
    expect(await bodyOf({ messages: [user], thinking: level }, { thinking })).toMatchObject(fields);
  });

  it.each(['budget', 'opt_in'] as const)(
    'leaves thinking out for a model of kind %s that shall not think',
    async (thinking) => {
      const body = await bodyOf({ messages: [user], thinking: 'off' }, { thinking });
      expect(body).not.toHaveProperty('thinking');
    },
  );

  it('never lets the budget of thoughts eat the whole answer', async () => {
    const body = await bodyOf({ messages: [user], thinking: 'max', maxOutputTokens: 4_000 }, { thinking: 'budget' });
    expect(body).toMatchObject({ max_tokens: 4_000, thinking: { budget_tokens: 2_976 } });
  });

  it('sends no version twice when the base URL has one', async () => {
    await using server = await startFakeModelServer({ script: ['ok'] });
    const model = createAnthropicModel({ model: 'claude', baseUrl: `${server.url}/v1/` });
    await collectAnswer(model.stream({ messages: [user] }));
    expect(server.requests[0]?.path).toBe('/v1/messages');
  });

  it.each([
    'adaptive thinking is not supported on this model',
    "thinking: Input tag 'adaptive' found using 'type' does not match any of the expected tags: 'disabled', 'enabled'",
    'output_config: Extra inputs are not permitted',
    'This model does not support the effort parameter.',
  ])('does without settings for thinking where the server says: %s', async (message) => {
    await using server = await startFakeModelServer({
      script: [{ error: 'invalid_request', message }, 'fine', 'fine again'],
    });
    const model = createAnthropicModel({ model: 'other', baseUrl: server.url });
    await collectAnswer(model.stream({ messages: [user], thinking: 'high' }));
    await collectAnswer(model.stream({ messages: [user] }));
    const asked = server.requests.map(({ body }) => 'thinking' in body || 'output_config' in body);
    expect(asked).toEqual([true, false, false]);
  });

  it('leaves room for as much of an answer as the model has, once the server has said it', async () => {
    const message = 'max_tokens: 32000 > 8192, which is the maximum allowed number of output tokens for other';
    await using server = await startFakeModelServer({ script: [{ error: 'invalid_request', message }, 'fine'] });
    await collectAnswer(createAnthropicModel({ model: 'other', baseUrl: server.url }).stream({ messages: [user] }));
    expect(server.requests.map(({ body }) => body.max_tokens)).toEqual([32_000, 8_192]);
  });

  it.each([
    'messages.1.content.0: Invalid signature in thinking block. The block is bound to a different conversation.',
    'Expected `thinking` or `redacted_thinking`, but found `text`.',
    '`max_tokens` must be greater than `thinking.budget_tokens`.',
  ])('keeps its thinking where something else is refused: %s', async (message) => {
    await using server = await startFakeModelServer({ script: [{ error: 'invalid_request', message }, 'never asked'] });
    const model = createAnthropicModel({ model: 'other', baseUrl: server.url });
    await expect(collectAnswer(model.stream({ messages: [user] }))).rejects.toMatchObject({ code: 'invalid_request' });
    expect(server.requests.length).toBe(1);
  });
});
