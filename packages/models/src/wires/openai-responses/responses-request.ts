import { asObject, stringAt } from '../../http/json.ts';
import type { AssistantPart, HistoryMessage, JsonValue, TextPart, ToolResult } from '../../model/history.ts';
import type { AcceptedContent, ModelRequest, ThinkingLevel } from '../../model/model.ts';
import { repairHistory } from '../../model/repair-history.ts';
import { toWireContent, type WireContent, wireText } from '../wire-content.ts';

export interface ResponsesRequestOptions {
  readonly id: string;
  readonly model: string;
  readonly accepts: AcceptedContent;
  /** Models that do not reason refuse the field. */
  readonly canReason: boolean;
  /** The levels that the model has, where that is known. */
  readonly thinkingLevels?: readonly ThinkingLevel[];
  readonly maxOutputTokens?: number | undefined;
  /** Whether thoughts are asked for in words; some accounts may not have them. Default: true. */
  readonly hasSummaries?: boolean;
}

type Item = Readonly<Record<string, unknown>>;

/**
 * Writes a request as the body of `POST /responses`. Nothing is stored there: the history is ours, so reasoning comes
 * encrypted and goes back with it.
 */
export function buildResponsesRequest(request: ModelRequest, options: ResponsesRequestOptions): Item {
  const { model, canReason } = options;
  const tools = request.tools ?? [];
  const maxOutputTokens = request.maxOutputTokens ?? options.maxOutputTokens;
  return {
    model,
    stream: true,
    store: false,
    ...(request.system && { instructions: request.system }),
    input: repairHistory(request.messages).flatMap((message) => writeMessage(message, options)),
    ...(tools.length > 0 && {
      tools: tools.map(({ name, description, inputSchema }) => ({
        type: 'function',
        name,
        description,
        parameters: inputSchema,
        strict: false,
      })),
    }),
    ...(request.webSearch && { tools: [{ type: 'web_search' }] }),
    ...(maxOutputTokens !== undefined && { max_output_tokens: maxOutputTokens }),
    ...(canReason && {
      reasoning: {
        ...(options.hasSummaries !== false && { summary: 'auto' }),
        ...effortFor(request.thinking, options),
      },
      include: ['reasoning.encrypted_content'],
    }),
    ...(request.cacheKey !== undefined && { prompt_cache_key: request.cacheKey }),
  };
}

/** A model that cannot stop thinking refuses `none`, and gets its lowest level; likewise at the upper end. */
function effortFor(
  level: ThinkingLevel | undefined,
  { model, thinkingLevels: levels = [] }: ResponsesRequestOptions,
): Item {
  if (level === undefined) return {};
  const isMissing = levels.length > 0 && !levels.includes(level);
  const nearest = isMissing ? levels.at(level === 'off' ? 0 : -1) : level;
  const wanted = nearest ?? level;
  return { effort: wanted === 'max' && HAS_MAX.test(model) ? 'max' : EFFORTS[wanted] };
}

/** Since GPT-5.6 there is a level above `xhigh`. */
const HAS_MAX = /^gpt-(5\.[6-9]|[6-9])/;

const EFFORTS: Readonly<Record<ThinkingLevel, string>> = {
  off: 'none',
  low: 'low',
  medium: 'medium',
  high: 'high',
  max: 'xhigh',
};

function writeMessage(message: HistoryMessage, options: ResponsesRequestOptions): readonly Item[] {
  switch (message.role) {
    case 'user': {
      const content = toWireContent(message.content, options.accepts).map(writePart);
      return [{ type: 'message', role: 'user', content }];
    }
    case 'assistant':
      return withoutLooseReasoning(message.content.flatMap((part) => writeAssistantPart(part, options.id)));
    case 'tool':
      return message.results.map((result) => writeResult(result, options));
  }
}

function writePart(part: WireContent): Item {
  switch (part.type) {
    case 'text':
      return { type: 'input_text', text: part.text };
    case 'image':
      return { type: 'input_image', detail: 'auto', image_url: `data:${part.mimeType};base64,${part.data}` };
    case 'document':
      return { type: 'input_file', filename: part.name, file_data: `data:${part.mimeType};base64,${part.data}` };
    case 'audio':
      return { type: 'input_audio', input_audio: { data: part.data, format: part.mimeType.split('/')[1] ?? 'wav' } };
  }
}

function writeAssistantPart(part: AssistantPart, id: string): readonly Item[] {
  switch (part.type) {
    case 'text':
      return part.text === '' ? [] : [{ type: 'message', role: 'assistant', content: part.text, ...phaseOf(part, id) }];
    case 'tool_call':
      return [{ type: 'function_call', call_id: part.id, name: part.name, arguments: JSON.stringify(part.input) }];
    case 'thought':
      return part.signature?.modelId === id ? reasoningItem(part.signature.value) : [];
  }
}

function phaseOf({ signature }: TextPart, id: string): Item {
  const phase = signature?.modelId === id ? stringAt(asObject(signature.value), 'phase') : undefined;
  return phase === undefined ? {} : { phase };
}

/** Reasoning is refused without what came of it, as where an answer was cut off. */
function withoutLooseReasoning(items: readonly Item[]): readonly Item[] {
  const last = items.findLastIndex(({ type }) => type !== 'reasoning');
  return items.slice(0, last + 1);
}

function reasoningItem(value: JsonValue): readonly Item[] {
  const item = asObject(value);
  return item === undefined ? [] : [{ type: 'reasoning', ...item }];
}

/** The format has no field for failure. */
function writeResult(result: ToolResult, { accepts }: ResponsesRequestOptions): Item {
  const content = toWireContent(result.content, accepts);
  const mark = result.isError ? 'Error: ' : '';
  const output = content.every((part) => part.type === 'text')
    ? mark + (wireText(content) || '(no text)')
    : [...(mark === '' ? [] : [{ type: 'input_text', text: 'The tool failed:' }]), ...content.map(writePart)];
  return { type: 'function_call_output', call_id: result.toolCallId, output };
}
