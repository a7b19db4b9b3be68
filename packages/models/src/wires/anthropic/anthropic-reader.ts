import { errorInStream, type WireReader } from '../../http/http-model.ts';
import { asObject, type JsonObject, numberAt, objectAt, objectsAt, stringAt } from '../../http/json.ts';
import { sourceEvent } from '../../http/source-event.ts';
import { createCallIds, endToolCall, type OpenToolCall } from '../../http/tool-arguments.ts';
import { ModelError } from '../../model/errors.ts';
import type { JsonValue } from '../../model/history.ts';
import { type ModelEvent, type ModelStopReason, type Usage, ZERO_USAGE } from '../../model/model.ts';

/** The block that is being written; there is one at a time, each closed before the next. */
type OpenBlock =
  | { readonly type: 'tool_use'; readonly call: OpenToolCall }
  | { readonly type: 'thinking'; signature: string }
  | { readonly type: 'other' };

/** Reads the events of an Anthropic message. */
export function createAnthropicReader(identity: { readonly id: string; readonly name: string }): WireReader {
  const takeId = createCallIds();
  let block: OpenBlock = { type: 'other' };
  let usage = ZERO_USAGE;
  let stopReason: ModelStopReason | undefined;
  let isStopped = false;

  const sign = (value: JsonValue): ModelEvent => ({
    type: 'thought',
    text: '',
    signature: { modelId: identity.id, value },
  });

  const openBlock = (content: JsonObject | undefined): readonly ModelEvent[] => {
    block = { type: 'other' };
    switch (content?.type) {
      case 'text':
        return textEvent(stringAt(content, 'text'));
      case 'thinking': {
        block = { type: 'thinking', signature: stringAt(content, 'signature') ?? '' };
        const text = stringAt(content, 'thinking') ?? '';
        return text === '' ? [] : [{ type: 'thought', text }];
      }
      case 'redacted_thinking':
        return [sign({ redacted: stringAt(content, 'data') ?? '' })];
      case 'tool_use': {
        const call = {
          id: takeId(stringAt(content, 'id')),
          name: stringAt(content, 'name') ?? '',
          argumentText: '',
        };
        block = { type: 'tool_use', call };
        return [{ type: 'tool_call_start', id: call.id, name: call.name }];
      }
      case 'web_search_tool_result':
        return objectsAt(content, 'content').flatMap((found) => sourceEvent(stringAt(found, 'url'), found));
      default:
        return [];
    }
  };

  const readDelta = (delta: JsonObject | undefined): readonly ModelEvent[] => {
    switch (delta?.type) {
      case 'text_delta':
        return textEvent(stringAt(delta, 'text'));
      case 'thinking_delta': {
        const text = stringAt(delta, 'thinking') ?? '';
        return text === '' ? [] : [{ type: 'thought', text }];
      }
      case 'signature_delta':
        if (block.type === 'thinking') block.signature += stringAt(delta, 'signature') ?? '';
        return [];
      case 'input_json_delta': {
        const json = stringAt(delta, 'partial_json') ?? '';
        if (block.type !== 'tool_use' || json === '') return [];
        block.call.argumentText += json;
        return [{ type: 'tool_call_delta', id: block.call.id, delta: json }];
      }
      default:
        return [];
    }
  };

  const closeBlock = (): readonly ModelEvent[] => {
    const closed = block;
    block = { type: 'other' };
    if (closed.type === 'tool_use') return [endToolCall(closed.call)];
    return closed.type === 'thinking' && closed.signature !== '' ? [sign({ signature: closed.signature })] : [];
  };

  const readUsage = (reported: JsonObject | undefined): readonly ModelEvent[] => {
    if (reported === undefined) return [];
    usage = mergeUsage(usage, reported);
    return [{ type: 'usage', usage }];
  };

  return {
    read(data) {
      const event = asObject(data);
      if (event === undefined) throw new ModelError('protocol', `${identity.name} sent an event that is no object.`);
      switch (event.type) {
        case 'message_start':
          return readUsage(objectAt(objectAt(event, 'message'), 'usage'));
        case 'content_block_start':
          return openBlock(objectAt(event, 'content_block'));
        case 'content_block_delta':
          return readDelta(objectAt(event, 'delta'));
        case 'content_block_stop':
          return closeBlock();
        case 'message_delta': {
          const reason = stringAt(objectAt(event, 'delta'), 'stop_reason');
          if (reason !== undefined) stopReason = STOP_REASONS[reason] ?? 'end_turn';
          return readUsage(objectAt(event, 'usage'));
        }
        case 'message_stop':
          isStopped = true;
          return [];
        case 'error':
          throw errorInStream(identity.name, event);
        default:
          return [];
      }
    },
    end() {
      if (stopReason === undefined && !isStopped) return undefined;
      return [...closeBlock(), { type: 'stop', reason: stopReason ?? 'end_turn' }];
    },
  };
}

const STOP_REASONS: Readonly<Record<string, ModelStopReason>> = {
  end_turn: 'end_turn',
  stop_sequence: 'end_turn',
  pause_turn: 'end_turn',
  tool_use: 'tool_use',
  max_tokens: 'max_tokens',
  model_context_window_exceeded: 'context_full',
  refusal: 'refusal',
};

/** Input comes in three disjoint numbers there; later events repeat only what changed. */
function mergeUsage(known: Usage, reported: JsonObject): Usage {
  const cached = numberAt(reported, 'cache_read_input_tokens') ?? known.cachedInputTokens;
  const written = numberAt(reported, 'cache_creation_input_tokens') ?? known.cacheWriteTokens;
  const fresh =
    numberAt(reported, 'input_tokens') ?? known.inputTokens - known.cachedInputTokens - known.cacheWriteTokens;
  return {
    inputTokens: fresh + cached + written,
    outputTokens: numberAt(reported, 'output_tokens') ?? known.outputTokens,
    cachedInputTokens: cached,
    cacheWriteTokens: written,
    thoughtTokens: numberAt(objectAt(reported, 'output_tokens_details'), 'thinking_tokens') ?? known.thoughtTokens,
  };
}

function textEvent(text: string | undefined): readonly ModelEvent[] {
  return text ? [{ type: 'text', text }] : [];
}
