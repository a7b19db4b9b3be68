import { type Fields, inWords, isRecord, mapField, pick } from '../../fields.ts';
import type { MapUpdate, TranslationContext } from '../context.ts';
import { dropFacts, keep, keptFact } from '../kept-facts.ts';
import { note, type SessionState } from '../state.ts';
import { asText } from './text-fallback.ts';

/** One canonical update as the Go integration reads it. */
export const writeUpdate: MapUpdate = (update, context) => {
  switch (update.sessionUpdate) {
    case 'agent_message_chunk':
    case 'user_message_chunk':
    case 'agent_thought_chunk':
      return [mapField(update, 'content', asText)];
    case 'tool_call':
    case 'tool_call_update':
      return [writeToolCall(update, context)];
    case 'plan':
      return [writePlan(update)];
    default:
      if (!context.state.options.strict) return [update];
      note(context.state, 'D90', `An update of kind ${inWords(update.sessionUpdate)} was left out.`);
      return [];
  }
};

/**
 * S2:188 tags with `kind`, S2:297 with `sessionUpdate`: both in one object serve readers of either chapter. S2:192
 * requires the status, S2:193 has the input as a map, and there is no place for raw output and locations.
 */
function writeToolCall(call: Fields, { session }: TranslationContext): Fields {
  const { sessionUpdate: tag, kind, status, rawInput, content, rawOutput, locations } = call;
  const isCancelled = status === 'failed' && keptFact(call, 'status') === 'cancelled';
  const written = pick(isCancelled ? dropFacts(call, 'status') : call, (name) => !OTHERWISE.has(name));
  written.sessionUpdate = tag;
  written.kind = tag;
  written.status = isCancelled ? 'cancelled' : (status ?? lastStatus(call, session));
  if (kind !== undefined) written.toolKind = kind === 'switch_mode' ? 'other' : kind;
  if (rawInput !== undefined) written.input = isRecord(rawInput) ? rawInput : { value: rawInput };
  if (Array.isArray(content)) written.output = content.map(writeBlock);
  const was = {
    rawOutput,
    locations,
    kind: kind === 'switch_mode' ? kind : undefined,
    rawInput: isRecord(rawInput) ? undefined : rawInput,
    content: Array.isArray(content) ? undefined : content,
    status: status === null ? null : undefined,
  };
  return keep(written, was, (status ?? undefined) === undefined ? ['status'] : []);
}

/** Fields that have another name or no place. */
const OTHERWISE: ReadonlySet<string> = new Set(['kind', 'rawInput', 'content', 'rawOutput', 'locations']);

function lastStatus({ toolCallId }: Fields, { toolCalls }: SessionState): unknown {
  return (typeof toolCallId === 'string' && toolCalls.get(toolCallId)?.status) || 'pending';
}

function writeBlock(item: unknown): unknown {
  if (!isRecord(item)) return item;
  if (item.type === 'content') return mapField(item, 'content', asText);
  return item.type === 'diff' ? writeDiff(item) : item;
}

/** S2:201 calls the texts differently; a new file has no old one. */
function writeDiff(diff: Fields): Fields {
  const { oldText, newText, ...rest } = diff;
  const old = oldText === null || oldText === undefined ? {} : { oldContent: oldText };
  return { ...rest, ...old, newContent: newText };
}

/** S2:306 has a description and the steps. */
function writePlan(update: Fields): Fields {
  const { sessionUpdate: _tag, entries, ...rest } = update;
  const description = keptFact(update, 'description');
  const list: readonly unknown[] = Array.isArray(entries) ? entries : [];
  const steps = list.map((entry) => (isRecord(entry) ? entry.content : ''));
  const plan = { description: typeof description === 'string' ? description : '', steps };
  const isPlain = list.every(
    (entry) =>
      isRecord(entry) && entry.priority === 'medium' && entry.status === 'pending' && entry._meta === undefined,
  );
  return keep({ ...dropFacts(rest, 'description'), plan }, isPlain ? {} : { entries });
}
