import { errorInStream, type WireReader } from '../../http/http-model.ts';
import { asObject, type JsonObject, numberAt, objectAt, objectsAt, stringAt } from '../../http/json.ts';
import { ModelError } from '../../model/errors.ts';
import type { JsonValue } from '../../model/history.ts';
import type { ModelEvent, ModelStopReason, Usage } from '../../model/model.ts';
import { createChatToolCalls } from './chat-tool-calls.ts';
import { mergeDetails } from './reasoning-details.ts';
import { createThinkTagSplitter } from './think-tags.ts';

/** Reads the chunks of a chat completion; `identity` is the model that gets its own thoughts back. */
export function createChatReader(identity: { readonly id: string; readonly name: string }): WireReader {
  const toolCalls = createChatToolCalls();
  const splitter = createThinkTagSplitter();
  let finishReason: string | undefined;
  let hasRefused = false;
  let hasSigned = false;
  let thoughtField: string | undefined;
  let thoughtDetails: readonly JsonValue[] = [];

  /** The field the thoughts came in is the field they go back in. */
  const signThought = (): readonly ModelEvent[] => {
    if (thoughtField === undefined) return [];
    const value: JsonValue = { field: thoughtField, ...(thoughtDetails.length > 0 && { details: thoughtDetails }) };
    hasSigned = true;
    thoughtField = undefined;
    thoughtDetails = [];
    return [{ type: 'thought', text: '', signature: { modelId: identity.id, value } }];
  };

  const readDelta = (delta: JsonObject): readonly ModelEvent[] => {
    const events: ModelEvent[] = [];
    const field = ['reasoning_content', 'reasoning'].find((name) => stringAt(delta, name));
    if (field !== undefined) {
      thoughtField = field;
      events.push({ type: 'thought', text: stringAt(delta, field) ?? '' });
    } else if (delta.reasoning_content === '' && !hasSigned) {
      // A server that has the field wants it back, also where there was nothing to say in it.
      thoughtField ??= 'reasoning_content';
    }
    const details = delta.reasoning_details;
    if (Array.isArray(details)) {
      thoughtField ??= 'reasoning';
      thoughtDetails = mergeDetails(thoughtDetails, details as JsonValue[]);
    }
    const content = textOfDelta(delta);
    if (content !== '') events.push(...signThought(), ...splitter.push(content));
    const refusal = stringAt(delta, 'refusal');
    if (refusal) {
      hasRefused = true;
      events.push({ type: 'text', text: refusal });
    }
    for (const piece of objectsAt(delta, 'tool_calls')) {
      events.push(...signThought(), ...toolCalls.read(piece));
    }
    return events;
  };

  return {
    read(data) {
      const chunk = asObject(data);
      if (chunk === undefined) throw new ModelError('protocol', `${identity.name} sent a chunk that is no object.`);
      if (chunk.error) throw errorInStream(identity.name, chunk);
      const events: ModelEvent[] = [];
      const choice = objectsAt(chunk, 'choices')[0];
      const delta = objectAt(choice, 'delta') ?? objectAt(choice, 'message');
      if (delta !== undefined) events.push(...readDelta(delta));
      finishReason = stringAt(choice, 'finish_reason') || finishReason;
      const usage = usageOf(objectAt(chunk, 'usage'));
      if (usage !== undefined) events.push({ type: 'usage', usage });
      return events;
    },
    end(sawDone) {
      if (finishReason === 'error') throw errorInStream(identity.name, { message: 'the provider gave up' });
      if (finishReason === undefined && !sawDone) return undefined;
      const reason = stopReasonFor(finishReason, { hasCalls: toolCalls.count > 0, hasRefused });
      return [...signThought(), ...splitter.end(), ...toolCalls.end(), { type: 'stop', reason }];
    },
  };
}

/** Mistral sends content as a list of parts. */
function textOfDelta(delta: JsonObject): string {
  const content = stringAt(delta, 'content');
  if (content !== undefined) return content;
  return objectsAt(delta, 'content')
    .map((part) => stringAt(part, 'text') ?? '')
    .join('');
}

/** Several servers say `stop` although they sent tool calls, and some `tool_calls` although they sent none. */
function stopReasonFor(
  finishReason: string | undefined,
  { hasCalls, hasRefused }: { readonly hasCalls: boolean; readonly hasRefused: boolean },
): ModelStopReason {
  if (finishReason === 'length') return 'max_tokens';
  if (finishReason === 'content_filter' || hasRefused) return 'refusal';
  return hasCalls ? 'tool_use' : 'end_turn';
}

function usageOf(usage: JsonObject | undefined): Usage | undefined {
  const inputTokens = numberAt(usage, 'prompt_tokens');
  if (usage === undefined || inputTokens === undefined) return undefined;
  const input = objectAt(usage, 'prompt_tokens_details');
  return {
    inputTokens,
    outputTokens: numberAt(usage, 'completion_tokens') ?? 0,
    cachedInputTokens: numberAt(input, 'cached_tokens') ?? numberAt(usage, 'prompt_cache_hit_tokens') ?? 0,
    cacheWriteTokens: numberAt(input, 'cache_write_tokens') ?? 0,
    thoughtTokens: numberAt(objectAt(usage, 'completion_tokens_details'), 'reasoning_tokens') ?? 0,
  };
}
