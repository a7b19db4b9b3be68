import type { RequestId } from '@parley/jsonrpc';
import { type Fields, isRecord, mapField, mapItems, rename, without } from '../../fields.ts';
import type { TranslationContext } from '../context.ts';
import { dropFacts, keepFacts, keptFact, restore } from '../kept-facts.ts';
import type { SessionState } from '../state.ts';
import { readToolCall } from './tool-call.ts';

/** A permission question of any dialect in canonical words. */
export function readPermissionRequest(params: Fields, context: TranslationContext, id: RequestId): Fields {
  const options = mapItems(params, 'options', readOption);
  if (isRecord(options.toolCall)) {
    return restore(mapField(options, 'toolCall', (call) => readToolCall(call, context)));
  }
  return restore(deriveToolCall(options, context, id));
}

/** S0:277 asks with a `message`, S4:614 with `title` and `description`; canonically the question is about a tool call. */
function deriveToolCall(params: Fields, { session }: TranslationContext, id: RequestId): Fields {
  const { message, title, description, ...rest } = params;
  if (keptFact(params, 'was') !== undefined) return rest;
  const question = typeof title === 'string' ? title : message;
  if (typeof question !== 'string') return params;
  const toolCallId = onlyOpenCall(session) ?? `perm-${String(id)}`;
  const explained = typeof description === 'string';
  const content = [{ type: 'content', content: { type: 'text', text: description } }];
  const toolCall = { toolCallId, title: question, ...(explained ? { content } : {}) };
  return keepFacts({ ...rest, toolCall }, { message, title, description, derived: ['toolCall'] });
}

/** The call that the question must be about, when only one has not ended. */
function onlyOpenCall(session: SessionState): string | undefined {
  const open = [...session.toolCalls].filter(([, { status }]) => status !== 'completed' && status !== 'failed');
  return open.length === 1 ? open[0]?.[0] : undefined;
}

/** S0:279 and S4:622 label an option; S0:281 calls a rejection `deny`. */
function readOption(option: unknown): unknown {
  if (!isRecord(option)) return option;
  const named = rename(option, 'label', 'name');
  return restore(named.kind === 'deny' ? { ...named, kind: 'reject_once' } : named);
}

/** The answer to a permission question. What is not clearly a choice is a cancellation, never an approval. */
export function readPermissionResult(result: Fields, { request }: TranslationContext): Fields {
  const { outcome } = result;
  if (isRecord(outcome)) return mapField(result, 'outcome', (value) => giveIdBack(value, request.optionIds));
  if (outcome === 'selected' && typeof result.optionId === 'string') {
    const rest = without(result, 'optionId');
    return { ...rest, outcome: giveIdBack({ outcome, optionId: result.optionId }, request.optionIds) };
  }
  const { selectedOptionId, optionId: _optionId, ...rest } = dropFacts(result, 'outcome');
  const meta = keptFact(result, 'outcome');
  const kept = meta === undefined ? {} : { _meta: meta };
  if (typeof selectedOptionId !== 'string') return { ...rest, outcome: { outcome: 'cancelled', ...kept } };
  const chosen = { outcome: 'selected', optionId: selectedOptionId, ...kept };
  return { ...rest, outcome: giveIdBack(chosen, request.optionIds) };
}

/** Turns the id of a reduced question back into ours. */
function giveIdBack(outcome: Fields, optionIds: ReadonlyMap<string, string> | undefined): Fields {
  const { optionId } = outcome;
  const ours = typeof optionId === 'string' ? optionIds?.get(optionId) : undefined;
  return ours === undefined || ours === optionId ? outcome : { ...outcome, optionId: ours };
}
