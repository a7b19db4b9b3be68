import { asObject, stringAt } from '../../http/json.ts';
import type { AssistantMessage, AssistantPart, HistoryMessage, ToolResult } from '../../model/history.ts';
import type { AcceptedContent, ModelRequest } from '../../model/model.ts';
import { repairHistory } from '../../model/repair-history.ts';
import { safeCallId } from '../../model/tool-names.ts';
import { toWireContent, type WireContent } from '../wire-content.ts';
import { type AnthropicThinking, thinkingFields } from './anthropic-thinking.ts';

export interface AnthropicRequestOptions {
  readonly id: string;
  readonly model: string;
  readonly accepts: AcceptedContent;
  readonly thinking: AnthropicThinking;
  /** Whether the server takes settings for thinking. Default: true. */
  readonly hasThinking?: boolean;
  /** The field is required there. */
  readonly maxOutputTokens: number;
}

type Block = Readonly<Record<string, unknown>>;

interface WireMessage {
  readonly role: 'user' | 'assistant';
  readonly content: readonly Block[];
}

/** Everything up to a mark is cached: first the tools and the system prompt, then the conversation so far. */
const CACHE_MARK = { cache_control: { type: 'ephemeral' } } as const;

const WEB_SEARCH = { type: 'web_search_20250305', name: 'web_search', max_uses: 5 } as const;

/** Writes a request as the body of `POST /v1/messages`. */
export function buildAnthropicRequest(request: ModelRequest, options: AnthropicRequestOptions): Block {
  const { model } = options;
  const maxTokens = request.maxOutputTokens ?? options.maxOutputTokens;
  const tools = request.tools ?? [];
  return {
    model,
    max_tokens: maxTokens,
    stream: true,
    ...(request.system && { system: [{ type: 'text', text: request.system, ...CACHE_MARK }] }),
    ...(tools.length > 0 && {
      tools: tools.map(({ name, description, inputSchema }) => ({ name, description, input_schema: inputSchema })),
    }),
    ...(request.webSearch && { tools: [WEB_SEARCH] }),
    messages: markEnds(
      repairHistory(request.messages)
        .map((message) => writeMessage(message, options))
        .filter(({ content }) => content.length > 0),
    ),
    ...(options.hasThinking !== false && thinkingFields(request.thinking, options.thinking, maxTokens)),
  };
}

function writeMessage(message: HistoryMessage, options: AnthropicRequestOptions): WireMessage {
  switch (message.role) {
    case 'user':
      return { role: 'user', content: writeContent(toWireContent(message.content, options.accepts)) };
    case 'assistant':
      return { role: 'assistant', content: writeAssistant(message, options.id) };
    case 'tool':
      return { role: 'user', content: message.results.map((result) => writeResult(result, options)) };
  }
}

/** Blank text blocks are refused there. */
function writeContent(content: readonly WireContent[]): readonly Block[] {
  return content.flatMap((part): readonly Block[] => {
    if (part.type === 'text') return isBlank(part.text) ? [] : [{ type: 'text', text: part.text }];
    const title = part.type === 'document' ? { title: part.name } : {};
    return [{ type: part.type, ...title, source: { type: 'base64', media_type: part.mimeType, data: part.data } }];
  });
}

function writeAssistant(message: AssistantMessage, id: string): readonly Block[] {
  return message.content.flatMap((part) => writeAssistantPart(part, id));
}

/** A thought goes back only to the model that signed it; another would refuse the signature. */
function writeAssistantPart(part: AssistantPart, id: string): readonly Block[] {
  switch (part.type) {
    case 'text':
      return isBlank(part.text) ? [] : [{ type: 'text', text: part.text }];
    case 'tool_call':
      return [{ type: 'tool_use', id: safeCallId(part.id), name: part.name, input: part.input }];
    case 'thought': {
      if (part.signature?.modelId !== id) return [];
      const value = asObject(part.signature.value);
      const redacted = stringAt(value, 'redacted');
      if (redacted !== undefined) return [{ type: 'redacted_thinking', data: redacted }];
      return [{ type: 'thinking', thinking: part.text, signature: stringAt(value, 'signature') ?? '' }];
    }
  }
}

function writeResult(result: ToolResult, { accepts }: AnthropicRequestOptions): Block {
  const content = writeContent(toWireContent(result.content, accepts));
  return {
    type: 'tool_result',
    tool_use_id: safeCallId(result.toolCallId),
    ...(content.length > 0 && { content }),
    ...(result.isError && { is_error: true }),
  };
}

/**
 * Marks the end of this request and that of the one before, which is where its cache ends. From a mark the provider looks
 * back over 20 blocks only, and an answer with many calls has more.
 */
function markEnds(messages: readonly WireMessage[]): readonly WireMessage[] {
  const ends = messages.flatMap(({ role }, index) => (role === 'user' ? [index] : [])).slice(-2);
  return messages.map((message, index) => (ends.includes(index) ? markEnd(message) : message));
}

function markEnd(message: WireMessage): WireMessage {
  const block = message.content.at(-1);
  return block ? { ...message, content: [...message.content.slice(0, -1), { ...block, ...CACHE_MARK }] } : message;
}

function isBlank(text: string): boolean {
  return text.trim() === '';
}
