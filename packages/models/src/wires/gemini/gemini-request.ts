import { asObject, stringAt } from '../../http/json.ts';
import { isGeneratedCallId } from '../../http/tool-arguments.ts';
import type {
  AssistantMessage,
  AssistantPart,
  History,
  HistoryMessage,
  ProviderSignature,
  ToolResult,
} from '../../model/history.ts';
import type { AcceptedContent, ModelRequest, ThinkingLevel } from '../../model/model.ts';
import { repairHistory } from '../../model/repair-history.ts';
import { toWireContent, type WireContent, wireText } from '../wire-content.ts';

/** Gemini 3 takes a level; 2.5 takes a number of tokens. */
export type GeminiThinking = 'level' | 'budget';

export interface GeminiRequestOptions {
  readonly id: string;
  readonly accepts: AcceptedContent;
  readonly thinking: GeminiThinking;
  /** Whether the model takes settings for thinking. Default: true. */
  readonly hasThinking?: boolean;
  readonly maxOutputTokens?: number | undefined;
}

type Part = Readonly<Record<string, unknown>>;

interface Content {
  readonly role: 'user' | 'model';
  readonly parts: readonly Part[];
}

/** Gemini 3 refuses a call of its history without a signature; calls that another model made get this documented stand-in. */
const FOREIGN_SIGNATURE = 'skip_thought_signature_validator';

/** Writes a request as the body of `:streamGenerateContent`. */
export function buildGeminiRequest(request: ModelRequest, options: GeminiRequestOptions): Part {
  const tools = request.tools ?? [];
  const maxOutputTokens = request.maxOutputTokens ?? options.maxOutputTokens;
  return {
    ...(request.system && { systemInstruction: { parts: [{ text: request.system }] } }),
    contents: joinRoles(writeContents(repairHistory(request.messages), options)),
    ...(tools.length > 0 && {
      tools: [
        {
          functionDeclarations: tools.map(({ name, description, inputSchema }) => ({
            name,
            description,
            parametersJsonSchema: inputSchema,
          })),
        },
      ],
    }),
    ...(request.webSearch && { tools: [{ googleSearch: {} }] }),
    generationConfig: {
      ...(maxOutputTokens !== undefined && { maxOutputTokens }),
      ...(options.hasThinking !== false && {
        thinkingConfig: { includeThoughts: true, ...thinkingFields(request.thinking, options.thinking) },
      }),
    },
  };
}

const BUDGETS: Readonly<Record<ThinkingLevel, number>> = {
  off: 0,
  low: 2_048,
  medium: 8_192,
  high: 16_384,
  max: 24_576,
};

function thinkingFields(level: ThinkingLevel | undefined, style: GeminiThinking): Part {
  if (level === undefined) return {};
  if (style === 'budget') return { thinkingBudget: BUDGETS[level] };
  const names = { off: 'LOW', low: 'LOW', medium: 'MEDIUM', high: 'HIGH', max: 'HIGH' } as const;
  return { thinkingLevel: names[level] };
}

function writeContents(history: History, options: GeminiRequestOptions): readonly Content[] {
  return history.map((message) => writeMessage(message, options)).filter(({ parts }) => parts.length > 0);
}

function writeMessage(message: HistoryMessage, options: GeminiRequestOptions): Content {
  switch (message.role) {
    case 'user':
      return { role: 'user', parts: toWireContent(message.content, options.accepts).flatMap(writePart) };
    case 'assistant':
      return { role: 'model', parts: writeAssistant(message, options) };
    case 'tool':
      return { role: 'user', parts: message.results.flatMap((result) => writeResult(result, options)) };
  }
}

function writePart(part: WireContent): readonly Part[] {
  if (part.type === 'text') return part.text === '' ? [] : [{ text: part.text }];
  return [{ inlineData: { mimeType: part.mimeType, data: part.data } }];
}

/** Google signs the first of several calls only; where it has signed none, another model made them. */
function writeAssistant({ content }: AssistantMessage, options: GeminiRequestOptions): readonly Part[] {
  const isOwn = content.some((part) => part.type === 'tool_call' && signatureFor(part.signature, options.id));
  const thinking = isOwn ? 'budget' : options.thinking;
  return content.flatMap((part) => writeAssistantPart(part, { ...options, thinking }));
}

/** Thoughts are summaries and never go back; what the model needs of them is in the signatures. */
function writeAssistantPart(part: AssistantPart, { id, thinking }: GeminiRequestOptions): readonly Part[] {
  if (part.type === 'thought') return [];
  const own = signatureFor(part.signature, id);
  if (part.type === 'text') {
    return part.text === '' && own === undefined ? [] : [{ text: part.text, ...(own && { thoughtSignature: own }) }];
  }
  const isForeign = part.signature?.modelId !== id;
  const thoughtSignature = own ?? (isForeign && thinking === 'level' ? FOREIGN_SIGNATURE : undefined);
  return [
    {
      functionCall: { ...callId(part.id), name: part.name, args: part.input },
      ...(thoughtSignature && { thoughtSignature }),
    },
  ];
}

function signatureFor(signature: ProviderSignature | undefined, id: string): string | undefined {
  return signature?.modelId === id ? stringAt(asObject(signature.value), 'thoughtSignature') : undefined;
}

/** Only ids that the server itself gave are shown to it again. */
function callId(id: string): Part {
  return isGeneratedCallId(id) ? {} : { id };
}

function writeResult(result: ToolResult, { accepts }: GeminiRequestOptions): readonly Part[] {
  const content = toWireContent(result.content, accepts);
  const response = { [result.isError ? 'error' : 'output']: wireText(content) };
  return [
    { functionResponse: { ...callId(result.toolCallId), name: result.toolName, response } },
    ...content.filter((part) => part.type !== 'text').flatMap(writePart),
  ];
}

/** Roles must take turns there. */
function joinRoles(contents: readonly Content[]): readonly Content[] {
  const joined: Content[] = [];
  for (const content of contents) {
    const last = joined.at(-1);
    if (last?.role === content.role) joined[joined.length - 1] = { ...last, parts: [...last.parts, ...content.parts] };
    else joined.push(content);
  }
  return joined;
}
