import type { AssistantMessage, History, HistoryMessage, ProviderSignature, ToolMessage } from '../history.ts';
import { toolCallsOf } from '../history.ts';
import { asObject, stringAt } from '../http/json.ts';
import type { AcceptedContent, ModelRequest, ThinkingLevel } from '../model.ts';
import { repairHistory } from '../repair-history.ts';
import { toWireContent, type WireContent, wireText } from '../wire-content.ts';

/** Whose rules a server follows where the copies differ from the original. */
export type ChatDialect = 'openai' | 'openrouter' | 'compatible';

export interface ChatRequestOptions {
  readonly id: string;
  readonly model: string;
  readonly dialect: ChatDialect;
  readonly accepts: AcceptedContent;
  readonly maxOutputTokens?: number | undefined;
}

type ChatMessage = Readonly<Record<string, unknown>>;

/** Writes a request as the body of `POST /chat/completions`. */
export function buildChatRequest(
  request: ModelRequest,
  options: ChatRequestOptions,
): Readonly<Record<string, unknown>> {
  const { model, dialect } = options;
  const maxTokens = request.maxOutputTokens ?? options.maxOutputTokens;
  const tools = request.tools ?? [];
  return {
    model,
    messages: [
      ...(request.system ? [{ role: 'system', content: request.system }] : []),
      ...writeMessages(repairHistory(request.messages), options),
    ],
    ...(tools.length > 0 && {
      tools: tools.map(({ name, description, inputSchema }) => ({
        type: 'function',
        function: { name, description, parameters: inputSchema },
      })),
    }),
    ...(maxTokens !== undefined && { [dialect === 'openai' ? 'max_completion_tokens' : 'max_tokens']: maxTokens }),
    ...(request.thinking !== undefined && thinkingFields(request.thinking, dialect)),
    ...(request.cacheKey !== undefined && dialect === 'openai' && { prompt_cache_key: request.cacheKey }),
    stream: true,
    stream_options: { include_usage: true },
  };
}

/** OpenAI's highest level that all of its current models share is `xhigh`. */
const EFFORTS: Readonly<Record<ThinkingLevel, string>> = {
  off: 'none',
  low: 'low',
  medium: 'medium',
  high: 'high',
  max: 'xhigh',
};

function thinkingFields(level: ThinkingLevel, dialect: ChatDialect): Readonly<Record<string, unknown>> {
  if (dialect !== 'openrouter') return { reasoning_effort: EFFORTS[level] };
  return { reasoning: level === 'off' ? { enabled: false } : { effort: EFFORTS[level] } };
}

function writeMessages(history: History, options: ChatRequestOptions): readonly ChatMessage[] {
  const lastUser = history.findLastIndex(({ role }) => role === 'user');
  return history.flatMap((message, index) => writeMessage(message, index > lastUser, options));
}

function writeMessage(
  message: HistoryMessage,
  isInRunningTurn: boolean,
  options: ChatRequestOptions,
): readonly ChatMessage[] {
  switch (message.role) {
    case 'user':
      return [{ role: 'user', content: writeContent(toWireContent(message.content, options.accepts)) }];
    case 'assistant':
      return [writeAssistant(message, isInRunningTurn ? options.id : undefined)];
    case 'tool':
      return writeToolMessage(message, options);
  }
}

/** Plain text stays a plain string: older servers know no list of parts. */
function writeContent(content: readonly WireContent[]): unknown {
  if (content.every((part) => part.type === 'text')) return wireText(content);
  return content.map(writePart);
}

function writePart(part: WireContent): unknown {
  switch (part.type) {
    case 'text':
      return { type: 'text', text: part.text };
    case 'image':
      return { type: 'image_url', image_url: { url: `data:${part.mimeType};base64,${part.data}` } };
    case 'audio':
      return { type: 'input_audio', input_audio: { data: part.data, format: audioFormat(part.mimeType) } };
  }
}

function audioFormat(mimeType: string): string {
  return /mpeg|mp3/.test(mimeType) ? 'mp3' : 'wav';
}

/** Thoughts go back only within the running turn, which is where DeepSeek and OpenRouter ask for them. */
function writeAssistant(message: AssistantMessage, thinkerId: string | undefined): ChatMessage {
  const text = message.content.map((part) => (part.type === 'text' ? part.text : '')).join('');
  const calls = toolCallsOf(message);
  return {
    role: 'assistant',
    content: text === '' ? null : text,
    ...(thinkerId !== undefined && thoughtFields(message, thinkerId)),
    ...(calls.length > 0 && {
      tool_calls: calls.map(({ id, name, input }) => ({
        id,
        type: 'function',
        function: { name, arguments: JSON.stringify(input) },
      })),
    }),
  };
}

function thoughtFields(message: AssistantMessage, thinkerId: string): Readonly<Record<string, unknown>> {
  const thoughts = message.content.filter((part) => part.type === 'thought');
  const own = thoughts.filter(({ signature }) => signature?.modelId === thinkerId);
  const { field, details } = readSignature(own.at(-1)?.signature);
  if (field === undefined) return {};
  return {
    [field]: own.map(({ text }) => text).join(''),
    ...(details !== undefined && { reasoning_details: details }),
  };
}

function readSignature(signature: ProviderSignature | undefined): { field: string | undefined; details: unknown } {
  const value = asObject(signature?.value);
  return { field: stringAt(value, 'field'), details: value?.details };
}

/** Tool messages carry text only, so media follow in a user message. */
function writeToolMessage(message: ToolMessage, { accepts }: ChatRequestOptions): readonly ChatMessage[] {
  const written = message.results.map((result) => ({ result, content: toWireContent(result.content, accepts) }));
  const media = written.flatMap(({ content }) => content.filter((part) => part.type !== 'text'));
  return [
    ...written.map(({ result, content }) => ({
      role: 'tool',
      tool_call_id: result.toolCallId,
      content: errorMark(result.isError) + (wireText(content) || '(no text)'),
    })),
    ...(media.length > 0
      ? [{ role: 'user', content: writeContent([{ type: 'text', text: 'Returned by the tools above:' }, ...media]) }]
      : []),
  ];
}

/** The format has no field for failure. */
function errorMark(isError: boolean): string {
  return isError ? 'Error: ' : '';
}
