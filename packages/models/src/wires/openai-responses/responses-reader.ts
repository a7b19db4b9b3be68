import { errorInStream, type WireReader } from '../../http/http-model.ts';
import { asObject, type JsonObject, numberAt, objectAt, objectsAt, stringAt } from '../../http/json.ts';
import { sourceEvent } from '../../http/source-event.ts';
import { createCallIds, endToolCall, type OpenToolCall } from '../../http/tool-arguments.ts';
import { ModelError } from '../../model/errors.ts';
import type { JsonValue } from '../../model/history.ts';
import type { ModelEvent, ModelStopReason, Usage } from '../../model/model.ts';

/** Reads the events of an OpenAI response. */
export function createResponsesReader(identity: { readonly id: string; readonly name: string }): WireReader {
  /** By output index: item ids change between events on some servers. */
  const open = new Map<number, OpenToolCall>();
  const takeId = createCallIds();
  let hasCalls = false;
  let hasRefused = false;
  let stopReason: ModelStopReason | undefined;

  const startItem = (event: JsonObject): readonly ModelEvent[] => {
    const item = objectAt(event, 'item');
    if (item?.type !== 'function_call') return [];
    hasCalls = true;
    const id = takeId(stringAt(item, 'call_id'));
    const call = { id, name: stringAt(item, 'name') ?? '', argumentText: '' };
    open.set(indexOf(event), call);
    return [{ type: 'tool_call_start', id, name: call.name }];
  };

  const endItem = (event: JsonObject): readonly ModelEvent[] => {
    const item = objectAt(event, 'item');
    if (item?.type === 'reasoning') return [signThought(item)];
    if (item?.type === 'message') return signText(item);
    if (item?.type !== 'function_call') return [];
    const started = open.has(indexOf(event)) ? [] : startItem(event);
    const call = open.get(indexOf(event));
    open.delete(indexOf(event));
    if (call === undefined) return started;
    return [...started, endToolCall({ ...call, argumentText: stringAt(item, 'arguments') || call.argumentText })];
  };

  const signThought = (item: JsonObject): ModelEvent => {
    const { type: _, status: __, ...kept } = item;
    return { type: 'thought', text: '', signature: { modelId: identity.id, value: kept as JsonValue } };
  };

  /** Whether a message was a remark or the answer; models that are not told so again tend to stop early. */
  const signText = (item: JsonObject): readonly ModelEvent[] => {
    const phase = stringAt(item, 'phase');
    return phase ? [{ type: 'text', text: '', signature: { modelId: identity.id, value: { phase } } }] : [];
  };

  const finish = (event: JsonObject): readonly ModelEvent[] => {
    const response = objectAt(event, 'response');
    stopReason = stopReasonFor(response, { hasCalls, hasRefused });
    const usage = usageOf(objectAt(response, 'usage'));
    return usage === undefined ? [] : [{ type: 'usage', usage }];
  };

  const readers: Readonly<Record<string, (event: JsonObject) => readonly ModelEvent[]>> = {
    'response.output_text.delta': (event) => textEvent('text', event),
    'response.reasoning_summary_text.delta': (event) => textEvent('thought', event),
    'response.reasoning_text.delta': (event) => textEvent('thought', event),
    'response.reasoning_summary_part.added': (event) =>
      (numberAt(event, 'summary_index') ?? 0) > 0 ? [{ type: 'thought', text: '\n\n' }] : [],
    'response.refusal.delta': (event) => {
      hasRefused = true;
      return textEvent('text', event);
    },
    'response.output_item.added': startItem,
    'response.output_item.done': endItem,
    'response.function_call_arguments.delta': (event) => {
      const call = open.get(indexOf(event));
      const delta = stringAt(event, 'delta') ?? '';
      if (call === undefined || delta === '') return [];
      call.argumentText += delta;
      return [{ type: 'tool_call_delta', id: call.id, delta }];
    },
    'response.output_text.annotation.added': (event) => {
      const annotation = objectAt(event, 'annotation');
      return sourceEvent(stringAt(annotation, 'url'), annotation);
    },
    'response.completed': finish,
    'response.incomplete': finish,
    'response.failed': (event) => {
      throw errorInStream(identity.name, objectAt(event, 'response') ?? event);
    },
    error: (event) => {
      throw errorInStream(identity.name, event);
    },
  };

  return {
    read(data) {
      const event = asObject(data);
      if (event === undefined) throw new ModelError('protocol', `${identity.name} sent an event that is no object.`);
      return readers[stringAt(event, 'type') ?? '']?.(event) ?? [];
    },
    end() {
      if (stopReason === undefined) return undefined;
      return [...[...open.values()].map(endToolCall), { type: 'stop', reason: stopReason }];
    },
  };
}

function indexOf(event: JsonObject): number {
  return numberAt(event, 'output_index') ?? 0;
}

function textEvent(type: 'text' | 'thought', event: JsonObject): readonly ModelEvent[] {
  const text = stringAt(event, 'delta') ?? '';
  return text === '' ? [] : [{ type, text }];
}

function stopReasonFor(
  response: JsonObject | undefined,
  { hasCalls, hasRefused }: { readonly hasCalls: boolean; readonly hasRefused: boolean },
): ModelStopReason {
  const incomplete = stringAt(objectAt(response, 'incomplete_details'), 'reason');
  if (incomplete === 'max_output_tokens') return 'max_tokens';
  if (incomplete === 'content_filter' || hasRefused) return 'refusal';
  const called = hasCalls || objectsAt(response, 'output').some(({ type }) => type === 'function_call');
  return called ? 'tool_use' : 'end_turn';
}

function usageOf(usage: JsonObject | undefined): Usage | undefined {
  const inputTokens = numberAt(usage, 'input_tokens');
  if (inputTokens === undefined) return undefined;
  return {
    inputTokens,
    outputTokens: numberAt(usage, 'output_tokens') ?? 0,
    cachedInputTokens: numberAt(objectAt(usage, 'input_tokens_details'), 'cached_tokens') ?? 0,
    cacheWriteTokens: numberAt(objectAt(usage, 'input_tokens_details'), 'cache_write_tokens') ?? 0,
    thoughtTokens: numberAt(objectAt(usage, 'output_tokens_details'), 'reasoning_tokens') ?? 0,
  };
}
