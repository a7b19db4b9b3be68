import { type Fields, inWords, isRecord, mapField, mapItems, rename, without } from '../fields.ts';
import type { MapUpdate, Passage } from '../passage.ts';
import { keep, stashed, unstash } from '../stash.ts';
import { note } from '../state.ts';
import { asText } from './text-fallback.ts';
import { writeKind } from './tool-kind.ts';

/** One canonical update as the Go integration reads it. */
export const writeUpdate: MapUpdate = (update, passage) => {
  switch (update.sessionUpdate) {
    case 'agent_message_chunk':
    case 'user_message_chunk':
    case 'agent_thought_chunk':
      return [mapField(update, 'content', asText)];
    case 'tool_call':
    case 'tool_call_update':
      return [writeToolCall(update, passage)];
    case 'plan':
      return [writePlan(update)];
    default:
      if (!passage.state.options.strict) return [update];
      note(passage.state, 'D90', `An update of kind ${inWords(update.sessionUpdate)} was left out.`);
      return [];
  }
};

/**
 * S2:188 tags with `kind`, S2:297 with `sessionUpdate`. Both in one object serve readers of either chapter. There is no
 * place for raw output and locations.
 */
function writeToolCall(call: Fields, { session }: Passage): Fields {
  const { sessionUpdate: tag, rawOutput, locations, ...rest } = call;
  const renamed = rename(writeKind(rest), 'kind', 'toolKind');
  const written = writeOutput(writeInput(writeStatus(renamed, session.toolCalls)));
  return keep({ ...written, sessionUpdate: tag, kind: tag }, { rawOutput, locations });
}

/** S2:192 requires the status, and can say that a call was cancelled. */
function writeStatus(call: Fields, known: ReadonlyMap<string, Fields>): Fields {
  if (call.status === 'failed' && stashed(call, 'status') === 'cancelled') {
    return { ...unstash(call, 'status'), status: 'cancelled' };
  }
  if (call.status !== undefined && call.status !== null) return call;
  const last = typeof call.toolCallId === 'string' ? known.get(call.toolCallId)?.status : undefined;
  const was = call.status === null ? { status: null } : {};
  return keep({ ...call, status: last ?? 'pending' }, was, ['status']);
}

/** S2:193 has the input as a map. */
function writeInput(call: Fields): Fields {
  const { rawInput } = call;
  if (rawInput === undefined) return call;
  if (isRecord(rawInput)) return rename(call, 'rawInput', 'input');
  return keep({ ...without(call, 'rawInput'), input: { value: rawInput } }, { rawInput });
}

function writeOutput(call: Fields): Fields {
  if (call.content === null) return keep(without(call, 'content'), { content: null });
  return rename(mapItems(call, 'content', writeBlock), 'content', 'output');
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
  const description = stashed(update, 'description');
  const list: readonly unknown[] = Array.isArray(entries) ? entries : [];
  const steps = list.map((entry) => (isRecord(entry) ? entry.content : ''));
  const plan = { description: typeof description === 'string' ? description : '', steps };
  const isPlain = list.every(
    (entry) =>
      isRecord(entry) && entry.priority === 'medium' && entry.status === 'pending' && entry._meta === undefined,
  );
  return keep({ ...unstash(rest, 'description'), plan }, isPlain ? {} : { entries });
}
