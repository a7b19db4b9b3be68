import { asMedium, findMediaFault } from '../media-rules.ts';
import type { FakeErrorKind, FakeStopReason } from '../script.ts';
import {
  asJson,
  ERROR_STATUS,
  type FakeToolCall,
  type FakeUsage,
  type FakeWire,
  headerText,
  type Json,
  listAt,
  textAt,
  type WireEvent,
  type WireWriter,
} from './wire.ts';

/** Google's `generateContent` and `streamGenerateContent`. */
export const gemini: FakeWire = {
  name: 'gemini',
  summarize(body, path) {
    const contents = listAt(body, 'contents');
    const said = contents.filter((content) => content.role !== 'model' && partsText(content) !== '');
    const last = contents.at(-1);
    return {
      model: decodeURIComponent(/models\/([^:/]+):/.exec(path)?.[1] ?? ''),
      isStreaming: path.includes(':streamGenerateContent'),
      lastUserText: said.length > 0 ? partsText(said.at(-1) ?? {}) : '',
      tools: listAt(body, 'tools').flatMap((tool) =>
        listAt(tool, 'functionDeclarations').map((declaration) => textAt(declaration, 'name')),
      ),
      hasToolResult: last !== undefined && listAt(last, 'parts').some((part) => 'functionResponse' in part),
    };
  },
  apiKey: (headers) => headerText(headers, 'x-goog-api-key'),
  findFault(body) {
    const contents = listAt(body, 'contents');
    if (contents.length === 0) return 'contents is not specified';
    for (const [index, content] of contents.entries()) {
      const parts = listAt(content, 'parts');
      if (parts.length === 0) return `contents[${index}].parts must not be empty`;
      if (index > 0 && contents[index - 1]?.role === content.role) return `contents[${index}]: roles must take turns`;
      const calls = parts.filter((part) => 'functionCall' in part).length;
      const answers = listAt(contents[index + 1] ?? {}, 'parts').filter((part) => 'functionResponse' in part).length;
      if (calls !== answers) return 'the number of function response parts must equal that of the function call parts';
    }
    const media = contents
      .flatMap((content) => listAt(content, 'parts'))
      .flatMap(({ inlineData }) => (inlineData ? [asMedium(asJson(inlineData), 'mimeType')] : []));
    return findMediaFault(media) ?? findSignatureFault(contents);
  },
  createWriter: createGeminiWriter,
  whole: ({ text, thought, calls, reason, usage }, model) => ({
    candidates: [
      {
        index: 0,
        finishReason: FINISH_REASONS[reason],
        content: {
          role: 'model',
          parts: [
            ...(thought ? [{ text: thought, thought: true }] : []),
            ...(text ? [{ text }] : []),
            ...calls.map(writeCall),
          ],
        },
      },
    ],
    usageMetadata: writeUsage(usage),
    modelVersion: model,
  }),
  errorBody: (kind, message, status) => ({ error: { code: status, message, status: STATUS_NAMES[kind] } }),
};

/** Once a model signs its calls, the first one of each answer of the running turn must come back signed. */
function findSignatureFault(contents: readonly Json[]): string | undefined {
  const callsOf = (content: Json): readonly Json[] => listAt(content, 'parts').filter((part) => 'functionCall' in part);
  const turn = contents.slice(
    contents.findLastIndex((content) => content.role === 'user' && partsText(content) !== ''),
  );
  const isSigning = turn.some((content) => callsOf(content).some(({ thoughtSignature }) => thoughtSignature));
  const isMissing = turn.some((content) => callsOf(content)[0] && !callsOf(content)[0]?.thoughtSignature);
  return isSigning && isMissing ? 'Function call is missing a thought_signature in functionCall parts.' : undefined;
}

const FINISH_REASONS: Readonly<Record<FakeStopReason, string>> = {
  end_turn: 'STOP',
  tool_use: 'STOP',
  max_tokens: 'MAX_TOKENS',
  refusal: 'SAFETY',
};

const STATUS_NAMES: Readonly<Record<FakeErrorKind, string>> = {
  rate_limit: 'RESOURCE_EXHAUSTED',
  overloaded: 'UNAVAILABLE',
  server: 'INTERNAL',
  auth: 'UNAUTHENTICATED',
  quota: 'RESOURCE_EXHAUSTED',
  context_too_long: 'INVALID_ARGUMENT',
  invalid_request: 'INVALID_ARGUMENT',
  not_found: 'NOT_FOUND',
};

function createGeminiWriter(model: string): WireWriter {
  const chunk = (candidate: Json, extra: Json = {}): WireEvent => ({
    data: JSON.stringify({ candidates: [{ index: 0, ...candidate }], modelVersion: model, ...extra }),
  });
  const parts = (...list: readonly Json[]): WireEvent => chunk({ content: { role: 'model', parts: list } });
  return {
    open: () => [],
    text: (text) => [parts({ text })],
    thought: (text) => [parts({ text, thought: true })],
    toolCall: (call) => [parts(writeCall(call))],
    error: (kind, message) => [
      { data: JSON.stringify({ error: { code: ERROR_STATUS[kind], message, status: STATUS_NAMES[kind] } }) },
    ],
    close: (reason, usage) => [
      chunk(
        { content: { role: 'model', parts: [{ text: '' }] }, finishReason: FINISH_REASONS[reason] },
        usage ? { usageMetadata: writeUsage(usage) } : {},
      ),
    ],
  };
}

function writeCall({ id, name, argumentText, signature }: FakeToolCall): Json {
  const args = asJson(JSON.parse(argumentText || '{}'));
  return { functionCall: { id, name, args }, ...(signature && { thoughtSignature: signature }) };
}

function writeUsage({ input, output, cached }: FakeUsage): Json {
  return {
    promptTokenCount: input,
    candidatesTokenCount: output,
    cachedContentTokenCount: cached,
    totalTokenCount: input + output,
  };
}

function partsText(content: Json): string {
  return listAt(content, 'parts')
    .map((part) => textAt(part, 'text'))
    .filter((text) => text !== '')
    .join('\n');
}
