import { asMedium, findMediaFault, type Medium } from '../media-rules.ts';
import { findToolFault } from '../provider-rules.ts';
import type { FakeErrorKind, FakeStopReason } from '../script.ts';
import {
  asJson,
  bearerKey,
  contentText,
  type FakeUsage,
  type FakeWire,
  findPairingFault,
  headerText,
  type Json,
  listAt,
  textAt,
  type WireEvent,
  type WireWriter,
} from './wire.ts';

/** Anthropic's messages API. */
export const anthropic: FakeWire = {
  name: 'anthropic',
  summarize(body) {
    const messages = listAt(body, 'messages');
    const said = messages.filter(({ role, content }) => role === 'user' && contentText(content) !== '');
    return {
      model: textAt(body, 'model'),
      isStreaming: body.stream === true,
      lastUserText: contentText(said.at(-1)?.content),
      tools: listAt(body, 'tools').map((tool) => textAt(tool, 'name')),
      hasToolResult: blocksOf(messages.at(-1), 'tool_result').length > 0,
    };
  },
  apiKey: (headers) => headerText(headers, 'x-api-key') ?? bearerKey(headers),
  findFault(body) {
    const messages = listAt(body, 'messages');
    if (typeof body.max_tokens !== 'number') return 'max_tokens: Field required';
    const schemas = listAt(body, 'tools').map((tool) => asJson(tool.input_schema));
    const tools = findToolFault(schemas, 'anthropic');
    if (tools !== undefined) return `tools: ${tools}`;
    if (messages[0]?.role !== 'user') return 'messages: first message must use the "user" role';
    for (const [index, message] of messages.entries()) {
      if (message.role !== 'user' && message.role !== 'assistant') return `messages.${index}.role: unexpected value`;
      const blank = blocksOf(message, 'text').some((block) => textAt(block, 'text').trim() === '');
      if (blank) return `messages.${index}: text content blocks must contain non-whitespace text`;
      const ids = blocksOf(message, 'tool_use').map((block) => textAt(block, 'id'));
      const odd = ids.find((id) => !/^[a-zA-Z0-9_-]+$/.test(id));
      if (odd !== undefined) return `messages.${index}: tool_use.id should match pattern '^[a-zA-Z0-9_-]+$'`;
      const blocks = listAt(message, 'content').map(({ type }) => type);
      const firstOther = blocks.findIndex((type) => type !== 'tool_result');
      if (firstOther >= 0 && blocks.lastIndexOf('tool_result') > firstOther) {
        return `messages.${index}: tool_result blocks must come before all other content`;
      }
      const fault = findMediaFault(mediaOf(message));
      if (fault !== undefined) return `messages.${index}: ${fault}`;
    }
    if (messages.flatMap(mediaOf).length > MAX_MEDIA) return `too many images and documents: more than ${MAX_MEDIA}`;
    const marks = JSON.stringify(body).split('"cache_control"').length - 1;
    if (marks > MAX_MARKS)
      return `A maximum of ${MAX_MARKS} blocks with cache_control may be provided. Found ${marks}.`;
    const ids = messages.flatMap((message) => blocksOf(message, 'tool_use').map((block) => textAt(block, 'id')));
    if (new Set(ids).size < ids.length) return 'messages: `tool_use` ids must be unique';
    return findPairingFault(
      messages.map((message) => {
        const results = blocksOf(message, 'tool_result').map((block) => textAt(block, 'tool_use_id'));
        const calls = blocksOf(message, 'tool_use').map((block) => textAt(block, 'id'));
        return results.length > 0 ? { results } : { calls };
      }),
    );
  },
  createWriter: createMessageWriter,
  whole: ({ text, thought, calls, reason, usage }, model) => ({
    ...emptyMessage(model, usage),
    content: [
      ...(thought ? [{ type: 'thinking', thinking: thought, signature: 'fake' }] : []),
      ...(text ? [{ type: 'text', text }] : []),
      ...calls.map(({ id, name, argumentText }) => ({ type: 'tool_use', id, name, input: parseOrEmpty(argumentText) })),
    ],
    stop_reason: STOP_REASONS[reason],
    usage: { ...inputUsage(usage), output_tokens: usage.output },
  }),
  errorBody: (kind, message) => ({
    type: 'error',
    error: { type: ERROR_TYPES[kind], message },
    request_id: 'req_fake',
  }),
};

const STOP_REASONS: Readonly<Record<FakeStopReason, string>> = {
  end_turn: 'end_turn',
  tool_use: 'tool_use',
  max_tokens: 'max_tokens',
  refusal: 'refusal',
};

const ERROR_TYPES: Readonly<Record<FakeErrorKind, string>> = {
  rate_limit: 'rate_limit_error',
  overloaded: 'overloaded_error',
  server: 'api_error',
  auth: 'authentication_error',
  quota: 'billing_error',
  context_too_long: 'invalid_request_error',
  invalid_request: 'invalid_request_error',
  not_found: 'not_found_error',
};

function createMessageWriter(model: string): WireWriter {
  let index = -1;
  let openType: 'text' | 'thinking' | undefined;
  const event = (type: string, fields: Json): WireEvent => ({ event: type, data: JSON.stringify({ type, ...fields }) });
  const delta = (value: Json): WireEvent => event('content_block_delta', { index, delta: value });
  const closeBlock = (): readonly WireEvent[] => {
    if (openType === undefined) return [];
    openType = undefined;
    return [event('content_block_stop', { index })];
  };
  const openBlock = (block: Json): readonly WireEvent[] => {
    const closed = closeBlock();
    index++;
    return [...closed, event('content_block_start', { index, content_block: block })];
  };
  const ensure = (type: 'text' | 'thinking', block: Json): readonly WireEvent[] => {
    if (openType === type) return [];
    const opened = openBlock(block);
    openType = type;
    return opened;
  };
  return {
    open: (usage) => [event('message_start', { message: emptyMessage(model, usage) }), event('ping', {})],
    text: (text) => [...ensure('text', { type: 'text', text: '' }), delta({ type: 'text_delta', text })],
    thought: (text, signature) => [
      ...ensure('thinking', { type: 'thinking', thinking: '', signature: '' }),
      delta({ type: 'thinking_delta', thinking: text }),
      ...(signature ? [delta({ type: 'signature_delta', signature }), ...closeBlock()] : []),
    ],
    toolCall: ({ id, name }, pieces) => [
      ...openBlock({ type: 'tool_use', id, name, input: {} }),
      ...pieces.map((text) => delta({ type: 'input_json_delta', partial_json: text })),
      event('content_block_stop', { index }),
    ],
    error: (kind, message) => [event('error', { error: { type: ERROR_TYPES[kind], message } })],
    close: (reason, usage) => [
      ...closeBlock(),
      event('message_delta', {
        delta: { stop_reason: STOP_REASONS[reason], stop_sequence: null },
        usage: { output_tokens: usage?.output ?? 0 },
      }),
      event('message_stop', {}),
    ],
  };
}

function emptyMessage(model: string, usage: FakeUsage): Json {
  return {
    id: 'msg_fake',
    type: 'message',
    role: 'assistant',
    model,
    content: [],
    stop_reason: null,
    stop_sequence: null,
    usage: { ...inputUsage(usage), output_tokens: 0 },
  };
}

function inputUsage({ input, cached }: FakeUsage): Json {
  return { input_tokens: input - cached, cache_read_input_tokens: cached, cache_creation_input_tokens: 0 };
}

function blocksOf(message: Json | undefined, type: string): readonly Json[] {
  return message === undefined ? [] : listAt(message, 'content').filter((block) => block.type === type);
}

/** Images and documents of one request, by Anthropic's documentation. */
const MAX_MEDIA = 100;
const MAX_MARKS = 4;

/** The images and documents of a message, those of tool results too. */
function mediaOf(message: Json): readonly Medium[] {
  const blocks = listAt(message, 'content');
  const inner = blocks.flatMap((block) => (block.type === 'tool_result' ? listAt(block, 'content') : []));
  return [...blocks, ...inner]
    .filter(({ type }) => type === 'image' || type === 'document')
    .map((block) => asMedium(asJson(block.source), 'media_type'));
}

function parseOrEmpty(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return {};
  }
}
