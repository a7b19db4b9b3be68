import { findMediaFault, type Medium, readDataUrl } from '../media-rules.ts';
import { findToolFault, parametersOf } from '../provider-rules.ts';
import type { FakeStopReason } from '../script.ts';
import { ERRORS } from './openai-chat.ts';
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
  type WholeAnswer,
  type WireEvent,
  type WireWriter,
} from './wire.ts';

/** OpenAI's responses API. */
export const openAiResponses: FakeWire = {
  name: 'openai-responses',
  summarize(body) {
    const items = listAt(body, 'input');
    const lastUser = items.findLast(({ role }) => role === 'user');
    return {
      model: textAt(body, 'model'),
      isStreaming: body.stream === true,
      lastUserText: typeof body.input === 'string' ? body.input : contentText(lastUser?.content),
      tools: listAt(body, 'tools').map((tool) => textAt(tool, 'name')),
      hasToolResult: items.at(-1)?.type === 'function_call_output',
    };
  },
  apiKey: bearerKey,
  findFault(body) {
    if (typeof body.input === 'string') return undefined;
    const items = listAt(body, 'input');
    if (items.length === 0) return 'input must not be empty';
    const functions = listAt(body, 'tools').filter(({ type }) => type === 'function');
    const tools = findToolFault(parametersOf(functions), 'openai');
    if (tools !== undefined) return tools;
    const effort = textAt(asJson(body.reasoning), 'effort');
    if (textAt(body, 'model') === 'gpt-6.1-sol' && (effort === 'none' || effort === 'minimal')) {
      return `Unsupported value: '${effort}' is not supported with the 'gpt-6.1-sol' model.`;
    }
    const loose = items.find(({ type }, index) => type === 'reasoning' && !followsReasoning(items[index + 1]));
    if (loose) {
      return `Item '${textAt(loose, 'id')}' of type 'reasoning' was provided without its required following item.`;
    }
    return findMediaFault(mediaOf(items)) ?? findPairingFault(groupCalls(items));
  },
  createWriter: createResponsesWriter,
  whole: (answer, model) => finished(model, wholeItems(answer), answer),
  errorBody: (kind, message) => ({ error: { message, ...ERRORS[kind], param: null } }),
};

/** What came of some reasoning: more of it, a call or words. */
function followsReasoning(item: Json | undefined): boolean {
  if (item?.type === 'message') return item.role === 'assistant';
  return item?.type === 'reasoning' || item?.type === 'function_call';
}

function mediaOf(items: readonly Json[]): readonly Medium[] {
  return items
    .flatMap((item) => [...listAt(item, 'content'), ...listAt(item, 'output')])
    .flatMap((part) => readDataUrl(textAt(part, 'image_url') || textAt(part, 'file_data')));
}

/** Calls stand one per item there; neighbours belong to one answer. */
function groupCalls(items: readonly Json[]): readonly { calls?: readonly string[]; results?: readonly string[] }[] {
  const steps: { calls?: string[]; results?: string[] }[] = [];
  for (const item of items) {
    const id = textAt(item, 'call_id');
    if (item.type === 'function_call_output') steps.push({ results: [id] });
    else if (item.type !== 'function_call') continue;
    else if (steps.at(-1)?.calls) steps.at(-1)?.calls?.push(id);
    else steps.push({ calls: [id] });
  }
  return steps;
}

interface OpenItem {
  readonly type: 'message' | 'reasoning';
  readonly id: string;
  text: string;
  phase?: string | undefined;
}

function createResponsesWriter(model: string): WireWriter {
  const items: Json[] = [];
  let open: OpenItem | undefined;
  let sequence = 0;

  const event = (type: string, fields: Json): WireEvent => ({
    event: type,
    data: JSON.stringify({ type, sequence_number: sequence++, ...fields }),
  });
  const at = (): Json => ({ output_index: items.length });

  /** Official clients insist on the events around each part, not only on its deltas. */
  const partEvents = (stage: 'added' | 'done', { type, id, text }: OpenItem): readonly WireEvent[] => {
    const fields = { ...at(), item_id: id };
    if (type === 'message') {
      const done = event('response.output_text.done', { ...fields, content_index: 0, text });
      const part = { type: 'output_text', text, annotations: [] };
      const around = event(`response.content_part.${stage}`, { ...fields, content_index: 0, part });
      return stage === 'done' ? [done, around] : [around];
    }
    const part = { type: 'summary_text', text };
    return [event(`response.reasoning_summary_part.${stage}`, { ...fields, summary_index: 0, part })];
  };

  const closeItem = (signature?: string): readonly WireEvent[] => {
    if (open === undefined) return [];
    const { type, id, text, phase } = open;
    const item = type === 'message' ? messageItem(id, text, phase) : reasoningItem(id, text, signature);
    const events = [...partEvents('done', open), event('response.output_item.done', { ...at(), item })];
    items.push(item);
    open = undefined;
    return events;
  };
  const ensure = (type: OpenItem['type']): readonly WireEvent[] => {
    if (open?.type === type) return [];
    const closed = closeItem();
    open = { type, id: `${type === 'message' ? 'msg' : 'rs'}_${items.length}`, text: '' };
    const item = type === 'message' ? { ...messageItem(open.id, ''), content: [] } : reasoningItem(open.id, '');
    return [...closed, event('response.output_item.added', { ...at(), item }), ...partEvents('added', open)];
  };
  const say = (type: OpenItem['type'], eventType: string, text: string): readonly WireEvent[] => {
    const opened = ensure(type);
    if (open !== undefined) open.text += text;
    return [
      ...opened,
      event(eventType, { ...at(), item_id: open?.id, content_index: 0, summary_index: 0, delta: text }),
    ];
  };

  return {
    open: () => {
      const response = { id: 'resp_fake', object: 'response', status: 'in_progress', model, output: [] };
      return [event('response.created', { response }), event('response.in_progress', { response })];
    },
    text: (text, phase) => {
      const closed = open?.type === 'message' && open.phase !== phase ? closeItem() : [];
      const said = say('message', 'response.output_text.delta', text);
      if (open) open.phase = phase;
      return [...closed, ...said];
    },
    thought: (text, signature) => [
      ...say('reasoning', 'response.reasoning_summary_text.delta', text),
      ...(signature ? closeItem(signature) : []),
    ],
    toolCall(call, pieces) {
      const closed = closeItem();
      const started = { ...callItem(call, items.length), arguments: '' };
      const item = callItem(call, items.length);
      const events = [
        ...closed,
        event('response.output_item.added', { ...at(), item: started }),
        ...pieces.map((delta) => event('response.function_call_arguments.delta', { ...at(), item_id: item.id, delta })),
        event('response.function_call_arguments.done', { ...at(), item_id: item.id, arguments: call.argumentText }),
        event('response.output_item.done', { ...at(), item }),
      ];
      items.push(item);
      return events;
    },
    error: (kind, message) => [event('error', { message, code: ERRORS[kind].code ?? ERRORS[kind].type, param: null })],
    close: (reason, usage) => {
      const closed = closeItem();
      const response = finished(model, items, { reason, usage });
      return [...closed, event(`response.${String(response.status)}`, { response })];
    },
  };
}

const INCOMPLETE: Readonly<Partial<Record<FakeStopReason, string>>> = {
  max_tokens: 'max_output_tokens',
  refusal: 'content_filter',
};

function finished(
  model: string,
  output: readonly Json[],
  { reason, usage }: { readonly reason: FakeStopReason; readonly usage: FakeUsage | undefined },
): Json {
  const incomplete = INCOMPLETE[reason];
  return {
    id: 'resp_fake',
    object: 'response',
    status: incomplete ? 'incomplete' : 'completed',
    incomplete_details: incomplete ? { reason: incomplete } : null,
    model,
    output,
    usage: usage
      ? {
          input_tokens: usage.input,
          input_tokens_details: { cached_tokens: usage.cached },
          output_tokens: usage.output,
          output_tokens_details: { reasoning_tokens: 0 },
          total_tokens: usage.input + usage.output,
        }
      : null,
  };
}

function wholeItems({ text, thought, calls }: WholeAnswer): readonly Json[] {
  return [
    ...(thought ? [reasoningItem('rs_0', thought)] : []),
    ...(text ? [messageItem('msg_0', text)] : []),
    ...calls.map(callItem),
  ];
}

function messageItem(id: string, text: string, phase?: string): Json {
  const content = [{ type: 'output_text', text, annotations: [] }];
  return { type: 'message', id, role: 'assistant', status: 'completed', content, ...(phase && { phase }) };
}

function reasoningItem(id: string, text: string, signature?: string): Json {
  const summary = text === '' ? [] : [{ type: 'summary_text', text }];
  return { type: 'reasoning', id, summary, ...(signature && { encrypted_content: signature }) };
}

function callItem({ id, name, argumentText }: FakeToolCall, index: number): Json {
  return { type: 'function_call', id: `fc_${index}`, call_id: id, name, arguments: argumentText, status: 'completed' };
}
