import { expect, it } from 'vitest';
import { errorFromAnswer } from './http-error.ts';

it.each([
  ['Anthropic', 'prompt is too long: 210000 tokens > 200000 maximum'],
  ['Anthropic', 'input length and `max_tokens` exceed context limit: 198000 + 32000 > 200000'],
  ['OpenAI', "This model's maximum context length is 128000 tokens."],
  ['Gemini', 'The input token count (1100000) exceeds the maximum number of tokens allowed (1048576).'],
  ['xAI', "This model's maximum prompt length is 131072 but the request contains 537812 tokens."],
  ['Groq', 'Please reduce the length of the messages or completion.'],
  ['Kimi', 'Invalid request: Your request exceeded model token limit: 262144 (requested: 300000)'],
  ['Copilot', 'prompt token count of 139000 exceeds the limit of 128000'],
  ['Bedrock', 'Input is too long for requested model.'],
  ['GLM', 'Prompt exceeds max length'],
  ['GLM', 'tokens in request more than max tokens allowed'],
])('knows that a conversation is too long in the words of %s: %s', (_, message) => {
  const body = JSON.stringify({ error: { type: 'invalid_request_error', message } });
  expect(errorFromAnswer({ modelName: 'm', status: 400, body }).code).toBe('context_too_long');
});

it.each([
  'max_tokens: 200000 > 128000, which is the maximum allowed number of output tokens for this model',
  "Unsupported value: 'none' is not supported with this model.",
])('does not take every refusal for a conversation that is too long: %s', (message) => {
  const body = JSON.stringify({ error: { type: 'invalid_request_error', message } });
  expect(errorFromAnswer({ modelName: 'm', status: 400, body }).code).toBe('invalid_request');
});
