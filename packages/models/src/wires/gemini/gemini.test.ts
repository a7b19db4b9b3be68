import { type Reply, startFakeModelServer } from '@parley/testing/fake-model-server';
import { describe, expect, it } from 'vitest';
import { type Answer, collectAnswer, messageOf } from '../../model/answer.ts';
import { type HistoryMessage, toolCallsOf } from '../../model/history.ts';
import type { ModelRequest } from '../../model/model.ts';
import { createGeminiModel, type GeminiOptions } from './gemini.ts';

const user: HistoryMessage = { role: 'user', content: [{ type: 'text', text: 'hello' }] };
const resultFor = (toolCallId: string, toolName: string): HistoryMessage => ({
  role: 'tool',
  results: [{ toolCallId, toolName, content: [{ type: 'text', text: 'done' }], isError: false }],
});

async function answerTo(reply: Reply): Promise<Answer> {
  await using server = await startFakeModelServer({ script: [reply] });
  return await collectAnswer(createGeminiModel({ model: 'g', baseUrl: server.url }).stream({ messages: [user] }));
}

async function bodyOf(request: ModelRequest, options: Partial<GeminiOptions> = {}): Promise<object> {
  await using server = await startFakeModelServer({ script: ['ok'] });
  await collectAnswer(createGeminiModel({ model: 'g', baseUrl: server.url, ...options }).stream(request));
  return server.requests[0]?.body ?? {};
}

const chunk = (candidate: object): Reply => ({
  status: 200,
  contentType: 'text/event-stream',
  body: `data: ${JSON.stringify({ candidates: [candidate] })}\n\n`,
});

describe('the gemini driver in particular', () => {
  it('gives the signature of a call back with it', async () => {
    const answer = await answerTo({ events: [{ type: 'tool_call', id: 'c1', name: 'f', signature: 'sig' }] });
    const body = await bodyOf({ messages: [user, messageOf(answer), resultFor('c1', 'f')] });
    expect(body).toMatchObject({
      contents: [
        {},
        { parts: [{ functionCall: { id: 'c1', name: 'f' }, thoughtSignature: 'sig' }] },
        { parts: [{ functionResponse: { id: 'c1', name: 'f', response: { output: 'done' } } }] },
      ],
    });
  });

  it('signs the first of several calls only, as Google does', async () => {
    const answer = await answerTo({
      events: [
        { type: 'tool_call', id: 'c1', name: 'f', signature: 'sig' },
        { type: 'tool_call', id: 'c2', name: 'f' },
      ],
    });
    const results: HistoryMessage = {
      role: 'tool',
      results: ['c1', 'c2'].map((toolCallId) => ({
        toolCallId,
        toolName: 'f',
        content: [{ type: 'text', text: 'done' }],
        isError: false,
      })),
    };
    const body = (await bodyOf({ messages: [user, messageOf(answer), results] })) as {
      contents: { parts: { thoughtSignature?: string }[] }[];
    };
    expect(body.contents[1]?.parts.map(({ thoughtSignature }) => thoughtSignature)).toEqual(['sig', undefined]);
  });

  it('stands in for the signature of a call that another model made', async () => {
    const foreign: HistoryMessage = {
      role: 'assistant',
      content: [{ type: 'tool_call', id: 'x', name: 'f', input: {}, signature: { modelId: 'claude', value: 's' } }],
    };
    const body = await bodyOf({ messages: [user, foreign, resultFor('x', 'f')] });
    expect(JSON.stringify(body)).toContain('skip_thought_signature_validator');
  });

  it('makes up an id where there is none and keeps it to itself', async () => {
    const answer = await answerTo(
      chunk({ content: { parts: [{ functionCall: { name: 'f', args: { a: 1 } } }] }, finishReason: 'STOP' }),
    );
    const id = toolCallsOf(messageOf(answer))[0]?.id ?? '';
    expect(id).not.toBe('');
    const body = await bodyOf({ messages: [user, messageOf(answer), resultFor(id, 'f')] });
    expect(JSON.stringify(body)).not.toContain(id);
  });

  it('keeps the signature of a text', async () => {
    const answer = await answerTo(
      chunk({ content: { parts: [{ text: 'hi' }, { text: '', thoughtSignature: 's' }] }, finishReason: 'STOP' }),
    );
    expect(await bodyOf({ messages: [user, messageOf(answer), user] })).toMatchObject({
      contents: [{}, { parts: [{ text: 'hi', thoughtSignature: 's' }] }, {}],
    });
  });

  it('calls a blocked prompt a refusal', async () => {
    const body = `data: ${JSON.stringify({ promptFeedback: { blockReason: 'OTHER' } })}\n\n`;
    const answer = await answerTo({ status: 200, contentType: 'text/event-stream', body });
    expect(answer.stopReason).toBe('refusal');
  });

  it('allows another try after a malformed call', async () => {
    await expect(answerTo(chunk({ finishReason: 'MALFORMED_FUNCTION_CALL' }))).rejects.toMatchObject({
      code: 'protocol',
      isRetryable: true,
    });
  });

  it('reads from the body how long it should wait', async () => {
    const details = [{ '@type': 'type.googleapis.com/google.rpc.RetryInfo', retryDelay: '1.5s' }];
    const body = JSON.stringify({ error: { code: 429, message: 'slow', status: 'RESOURCE_EXHAUSTED', details } });
    await expect(answerTo({ status: 429, contentType: 'application/json', body })).rejects.toMatchObject({
      code: 'rate_limited',
      retryAfterMs: 1_500,
    });
  });

  it.each([
    ['level', 'off', { thinkingLevel: 'LOW' }],
    ['level', 'max', { thinkingLevel: 'HIGH' }],
    ['budget', 'off', { thinkingBudget: 0 }],
    ['budget', 'high', { thinkingBudget: 16_384 }],
  ] as const)('writes thinking for a model of kind %s at level %s', async (thinking, level, config) => {
    const body = await bodyOf({ messages: [user], thinking: level }, { thinking });
    expect(body).toMatchObject({ generationConfig: { thinkingConfig: config } });
  });

  it.each([
    'Thinking level is not supported for this model.',
    'Budget 0 is invalid. This model only works in thinking mode.',
    'Unknown name "thinkingConfig" at \'generation_config\': Cannot find field.',
  ])('does without settings for thinking where the model says: %s', async (message) => {
    await using server = await startFakeModelServer({ script: [{ error: 'invalid_request', message }, 'fine'] });
    await collectAnswer(createGeminiModel({ model: 'g', baseUrl: server.url }).stream({ messages: [user] }));
    expect(server.requests.map(({ body }) => JSON.stringify(body).includes('thinkingConfig'))).toEqual([true, false]);
  });
});
