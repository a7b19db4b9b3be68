import { asObject, stringAt } from '../../http/json.ts';
import type { AssistantMessage, History, HistoryMessage, ProviderSignature, ToolMessage } from '../../model/history.ts';
import { toolCallsOf } from '../../model/history.ts';
import type { AcceptedContent, ModelRequest, ThinkingLevel } from '../../model/model.ts';
import { repairHistory } from '../../model/repair-history.ts';
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

/** DeepSeek's name for the field of the thoughts, which most servers took over. */
const REASONING_CONTENT = 'reasoning_content';

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
    ...(request.thinking !== undefined && thinkingFields(request.thinking, options)),
    // OpenRouter puts the marks where Claude's cache wants them.
    ...(dialect === 'openrouter' && /^anthropic\//.test(model) && { cache_control: { type: 'ephemeral' } }),
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

/** DeepSeek, Kimi and GLM have a switch. */
const HAS_SWITCH = /deepseek|kimi|\bglm-/i;

function thinkingFields(
  level: ThinkingLevel,
  { dialect, model }: ChatRequestOptions,
): Readonly<Record<string, unknown>> {
  if (dialect === 'compatible' && HAS_SWITCH.test(model)) {
    return { thinking: { type: level === 'off' ? 'disabled' : 'enabled' } };
  }
  if (dialect !== 'openrouter') return { reasoning_effort: EFFORTS[level] };
  return { reasoning: level === 'off' ? { enabled: false } : { effort: EFFORTS[level] } };
}

/** Where thoughts go back to: to the model that had them, and, where its server wants that, with every call. */
interface ThoughtRules {
  readonly id: string;
  readonly echoesReasoning: boolean;
  readonly isInRunningTurn: boolean;
}

function writeMessages(history: History, options: ChatRequestOptions): readonly ChatMessage[] {
  const lastUser = history.findLastIndex(({ role }) => role === 'user');
  const rules = { id: options.id, echoesReasoning: wantsReasoningBack(history, options) };
  return history.flatMap((message, index) =>
    writeMessage(message, options, { ...rules, isInRunningTurn: index > lastUser }),
  );
}

function writeMessage(
  message: HistoryMessage,
  options: ChatRequestOptions,
  rules: ThoughtRules,
): readonly ChatMessage[] {
  switch (message.role) {
    case 'user':
      return [{ role: 'user', content: writeContent(toWireContent(message.content, options.accepts)) }];
    case 'assistant':
      return [writeAssistant(message, rules)];
    case 'tool':
      return writeToolMessage(message, options);
  }
}

/** DeepSeek and Kimi refuse a call without the field, even an empty one. Others know it when they have sent it themselves. */
function wantsReasoningBack(history: History, { id, model }: ChatRequestOptions): boolean {
  return (
    /deepseek|kimi/i.test(model) ||
    history.some(
      (message) =>
        message.role === 'assistant' &&
        message.content.some(
          (part) =>
            part.type === 'thought' &&
            part.signature?.modelId === id &&
            readSignature(part.signature).field === REASONING_CONTENT,
        ),
    )
  );
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
    case 'document':
      return { type: 'file', file: { filename: part.name, file_data: `data:${part.mimeType};base64,${part.data}` } };
    case 'audio':
      return { type: 'input_audio', input_audio: { data: part.data, format: audioFormat(part.mimeType) } };
  }
}

function audioFormat(mimeType: string): string {
  return /mpeg|mp3/.test(mimeType) ? 'mp3' : 'wav';
}

function writeAssistant(message: AssistantMessage, rules: ThoughtRules): ChatMessage {
  const text = message.content.map((part) => (part.type === 'text' ? part.text : '')).join('');
  const calls = toolCallsOf(message);
  return {
    role: 'assistant',
    content: text === '' ? null : text,
    ...(rules.echoesReasoning && calls.length > 0 && { [REASONING_CONTENT]: '' }),
    ...thoughtFields(message, rules),
    ...(calls.length > 0 && {
      tool_calls: calls.map(({ id, name, input }) => ({
        id,
        type: 'function',
        function: { name, arguments: JSON.stringify(input) },
      })),
    }),
  };
}

/** The field that the thoughts came in. `reasoning` alone is wanted in the running turn only, all else in every turn. */
function thoughtFields(
  message: AssistantMessage,
  { id, isInRunningTurn }: ThoughtRules,
): Readonly<Record<string, unknown>> {
  const thoughts = message.content.filter((part) => part.type === 'thought');
  const own = thoughts.filter(({ signature }) => signature?.modelId === id);
  const { field, details } = readSignature(own.at(-1)?.signature);
  if (field === undefined) return {};
  if (field !== REASONING_CONTENT && details === undefined && !isInRunningTurn) return {};
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
