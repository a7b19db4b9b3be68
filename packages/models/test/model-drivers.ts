import type { HttpModelOptions } from '../src/http/http-model.ts';
import { type Answer, applyModelEvent, EMPTY_ANSWER } from '../src/model/answer.ts';
import { ModelError } from '../src/model/errors.ts';
import type { Model, ModelEvent, ModelRequest, ToolDefinition } from '../src/model/model.ts';
import { createAnthropicModel } from '../src/wires/anthropic/anthropic.ts';
import { createGeminiModel } from '../src/wires/gemini/gemini.ts';
import { createOpenAiChatModel } from '../src/wires/openai-chat/openai-chat.ts';
import { createOpenAiResponsesModel } from '../src/wires/openai-responses/openai-responses.ts';

type Options = Omit<HttpModelOptions, 'model' | 'baseUrl'>;

/** All four wire formats; one case list serves them all. */
export const drivers: readonly { name: string; create: (url: string, options?: Options) => Model }[] = [
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

export const hello: ModelRequest = { messages: [{ role: 'user', content: [{ type: 'text', text: 'hello' }] }] };
export const tools: readonly ToolDefinition[] = [
  {
    name: 'read_file',
    description: 'Reads a file',
    inputSchema: { type: 'object', properties: { path: { type: 'string' } } },
  },
];

export async function eventsOf(stream: AsyncIterable<ModelEvent>): Promise<ModelEvent[]> {
  const events: ModelEvent[] = [];
  for await (const event of stream) events.push(event);
  return events;
}

export async function failureOf(stream: AsyncIterable<ModelEvent>): Promise<{ error: ModelError; answer: Answer }> {
  let answer = EMPTY_ANSWER;
  try {
    for await (const event of stream) answer = applyModelEvent(answer, event);
  } catch (error) {
    if (error instanceof ModelError) return { error, answer };
    throw error;
  }
  throw new Error('the stream ended without an error');
}
