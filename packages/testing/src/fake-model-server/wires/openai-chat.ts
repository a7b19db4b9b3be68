import { findMediaFault, readDataUrl } from '../media-rules.ts';
import { findToolFault, parametersOf } from '../provider-rules.ts';
import type { FakeErrorKind, FakeStopReason } from '../script.ts';
import {
  asJson,
  bearerKey,
  contentText,
  type FakeToolCall,
  type FakeUsage,
  type FakeWire,
  findPairingFault,
  type Json,
  listAt,
  textAt,
  type WireEvent,
  type WireWriter,
} from './wire.ts';

/** OpenAI chat completions, as Ollama, llama.cpp, LM Studio, vLLM and OpenRouter speak them too. */
export const openAiChat: FakeWire = {
  name: 'openai-chat',
  summarize(body) {
    const messages = listAt(body, 'messages');
    // Some agents send notes of their own as messages behind what the person said.
    const end = messages.findLastIndex(({ role }) => role === 'user') + 1;
    const start = messages.findLastIndex(({ role }, index) => index < end && role !== 'user') + 1;
    return {
      model: textAt(body, 'model'),
      isStreaming: body.stream === true,
      lastUserText: messages
        .slice(start, end)
        .map(({ content }) => contentText(content))
        .join('\n'),
      tools: listAt(body, 'tools').map((tool) => textAt(asJson(tool.function), 'name')),
      hasToolResult: messages.at(-1)?.role === 'tool',
    };
  },
  apiKey: bearerKey,
  findFault(body) {
    const messages = listAt(body, 'messages');
    if (messages.length === 0) return 'messages must not be empty';
    const bad = messages.findIndex(
      ({ role }) => !['system', 'user', 'assistant', 'tool', 'developer'].includes(String(role)),
    );
    if (bad >= 0) return `messages[${bad}].role is not a role`;
    const media = messages
      .flatMap((message) => listAt(message, 'content'))
      .flatMap((part) => readDataUrl(textAt(asJson(part.image_url), 'url') || textAt(asJson(part.file), 'file_data')));
    const functions = listAt(body, 'tools').map((tool) => asJson(tool.function));
    const fault =
      findToolFault(parametersOf(functions), 'openai') ??
      findReasoningFault(textAt(body, 'model'), messages) ??
      findMediaFault(media);
    if (fault !== undefined) return fault;
    return findPairingFault(
      messages.map((message) => {
        if (message.role === 'tool') return { results: [textAt(message, 'tool_call_id')] };
        return { calls: listAt(message, 'tool_calls').map((call) => textAt(call, 'id')) };
      }),
    );
  },
  createWriter: createChatWriter,
  whole: ({ text, thought, calls, reason, usage }, model) => ({
    id: 'chatcmpl-fake',
    object: 'chat.completion',
    created: 0,
    model,
    choices: [
      {
        index: 0,
        message: {
          role: 'assistant',
          content: text || null,
          ...(thought && { reasoning_content: thought }),
          ...(calls.length > 0 && { tool_calls: calls.map((call) => writeCall(call)) }),
        },
        finish_reason: FINISH_REASONS[reason],
      },
    ],
    usage: writeUsage(usage),
  }),
  errorBody: (kind, message) => ({ error: { message, ...ERRORS[kind], param: null } }),
};

/** DeepSeek and Kimi want their reasoning back with every call; Mistral refuses fields that it does not know. */
function findReasoningFault(model: string, messages: readonly Json[]): string | undefined {
  const answers = messages.filter(({ role }) => role === 'assistant');
  const hasReasoning = (message: Json): boolean => typeof message.reasoning_content === 'string';
  const isMissing = answers.some((message) => listAt(message, 'tool_calls').length > 0 && !hasReasoning(message));
  if (/deepseek|kimi/.test(model) && isMissing) {
    return 'The reasoning_content in the thinking mode must be passed back to the API.';
  }
  return /mistral/.test(model) && answers.some(hasReasoning)
    ? 'reasoning_content: Extra inputs are not permitted'
    : undefined;
}

export const ERRORS: Readonly<Record<FakeErrorKind, { readonly type: string; readonly code: string | null }>> = {
  rate_limit: { type: 'requests', code: 'rate_limit_exceeded' },
  overloaded: { type: 'server_error', code: 'server_is_overloaded' },
  server: { type: 'server_error', code: null },
  auth: { type: 'invalid_request_error', code: 'invalid_api_key' },
  quota: { type: 'insufficient_quota', code: 'insufficient_quota' },
  context_too_long: { type: 'invalid_request_error', code: 'context_length_exceeded' },
  invalid_request: { type: 'invalid_request_error', code: null },
  not_found: { type: 'invalid_request_error', code: 'model_not_found' },
};

const FINISH_REASONS: Readonly<Record<FakeStopReason, string>> = {
  end_turn: 'stop',
  tool_use: 'tool_calls',
  max_tokens: 'length',
  refusal: 'content_filter',
};

function createChatWriter(model: string): WireWriter {
  let callCount = 0;
  const chunk = (choices: readonly Json[], extra: Json = {}): WireEvent => ({
    data: JSON.stringify({
      id: 'chatcmpl-fake',
      object: 'chat.completion.chunk',
      created: 0,
      model,
      choices,
      ...extra,
    }),
  });
  const delta = (value: Json, finishReason: string | null = null): WireEvent =>
    chunk([{ index: 0, delta: value, finish_reason: finishReason }]);
  return {
    open: () => [delta({ role: 'assistant', content: '' })],
    text: (text) => [delta({ content: text })],
    thought: (text) => [delta({ reasoning_content: text })],
    toolCall(call, pieces) {
      const index = callCount++;
      const piece = (fn: Json, start: Json = {}): WireEvent =>
        delta({ tool_calls: [{ index, ...start, function: fn }] });
      return [
        piece({ name: call.name, arguments: '' }, { id: call.id, type: 'function' }),
        ...pieces.map((text) => piece({ arguments: text })),
      ];
    },
    error: (kind, message) => [{ data: JSON.stringify({ error: { message, ...ERRORS[kind] } }) }],
    close: (reason, usage) => [
      delta({}, FINISH_REASONS[reason]),
      ...(usage ? [chunk([], { usage: writeUsage(usage) })] : []),
      { data: '[DONE]' },
    ],
  };
}

function writeCall({ id, name, argumentText }: FakeToolCall): Json {
  return { id, type: 'function', function: { name, arguments: argumentText } };
}

function writeUsage({ input, output, cached }: FakeUsage): Json {
  return {
    prompt_tokens: input,
    completion_tokens: output,
    total_tokens: input + output,
    prompt_tokens_details: { cached_tokens: cached },
  };
}
