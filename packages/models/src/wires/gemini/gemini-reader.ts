import { errorInStream, type WireReader } from '../../http/http-model.ts';
import { asObject, type JsonObject, numberAt, objectAt, objectsAt, stringAt } from '../../http/json.ts';
import { sourceEvent } from '../../http/source-event.ts';
import { createCallIds } from '../../http/tool-arguments.ts';
import { ModelError } from '../../model/errors.ts';
import type { ProviderSignature } from '../../model/history.ts';
import type { ModelEvent, ModelStopReason, Usage } from '../../model/model.ts';

/** The model started a call and got it wrong; another try usually gets it right. */
const MALFORMED = new Set(['MALFORMED_FUNCTION_CALL', 'UNEXPECTED_TOOL_CALL', 'MALFORMED_RESPONSE']);

/** Reads the chunks of `streamGenerateContent`; each is a whole response with a part of the answer. */
export function createGeminiReader(identity: { readonly id: string; readonly name: string }): WireReader {
  const takeId = createCallIds();
  let finishReason: string | undefined;
  let hasCalls = false;

  const signature = (part: JsonObject): { readonly signature?: ProviderSignature } => {
    const thoughtSignature = stringAt(part, 'thoughtSignature');
    return thoughtSignature ? { signature: { modelId: identity.id, value: { thoughtSignature } } } : {};
  };

  const readPart = (part: JsonObject): readonly ModelEvent[] => {
    const call = objectAt(part, 'functionCall');
    if (call !== undefined) {
      hasCalls = true;
      const id = takeId(stringAt(call, 'id'));
      const name = stringAt(call, 'name') ?? '';
      const input = objectAt(call, 'args') ?? {};
      return [
        { type: 'tool_call_start', id, name },
        { type: 'tool_call_delta', id, delta: JSON.stringify(input) },
        { type: 'tool_call_end', id, name, input, ...signature(part) },
      ];
    }
    const text = stringAt(part, 'text');
    if (text === undefined) return [];
    if (part.thought === true) return text === '' ? [] : [{ type: 'thought', text }];
    const signed = signature(part);
    return text === '' && signed.signature === undefined ? [] : [{ type: 'text', text, ...signed }];
  };

  return {
    read(data) {
      const chunk = asObject(data);
      if (chunk === undefined) throw new ModelError('protocol', `${identity.name} sent a chunk that is no object.`);
      if (chunk.error) throw errorInStream(identity.name, chunk);
      const candidate = objectsAt(chunk, 'candidates')[0];
      const pages = objectsAt(objectAt(candidate, 'groundingMetadata'), 'groundingChunks').map((each) =>
        objectAt(each, 'web'),
      );
      const events = [
        ...objectsAt(objectAt(candidate, 'content'), 'parts').flatMap(readPart),
        ...pages.flatMap((page) => sourceEvent(stringAt(page, 'uri'), page)),
      ];
      const isBlocked = stringAt(objectAt(chunk, 'promptFeedback'), 'blockReason') !== undefined;
      finishReason = stringAt(candidate, 'finishReason') ?? (isBlocked ? 'SAFETY' : finishReason);
      const usage = usageOf(objectAt(chunk, 'usageMetadata'));
      return usage === undefined ? events : [...events, { type: 'usage', usage }];
    },
    end() {
      if (finishReason === undefined) return undefined;
      if (MALFORMED.has(finishReason)) {
        throw new ModelError('protocol', `${identity.name} wrote a tool call that makes no sense (${finishReason}).`, {
          isRetryable: true,
        });
      }
      return [{ type: 'stop', reason: stopReasonFor(finishReason, hasCalls) }];
    },
  };
}

function stopReasonFor(finishReason: string, hasCalls: boolean): ModelStopReason {
  if (finishReason === 'MAX_TOKENS') return 'max_tokens';
  if (finishReason === 'STOP' || finishReason === 'FINISH_REASON_UNSPECIFIED')
    return hasCalls ? 'tool_use' : 'end_turn';
  return 'refusal';
}

function usageOf(usage: JsonObject | undefined): Usage | undefined {
  const inputTokens = numberAt(usage, 'promptTokenCount');
  if (inputTokens === undefined) return undefined;
  const thoughtTokens = numberAt(usage, 'thoughtsTokenCount') ?? 0;
  return {
    inputTokens,
    outputTokens: (numberAt(usage, 'candidatesTokenCount') ?? 0) + thoughtTokens,
    cachedInputTokens: numberAt(usage, 'cachedContentTokenCount') ?? 0,
    cacheWriteTokens: 0,
    thoughtTokens,
  };
}
