import { type Fields, isRecord, mapItems, rename, without } from '../fields.ts';
import type { Passage } from '../passage.ts';
import { restore, stash, stashed } from '../stash.ts';
import { note } from '../state.ts';
import { readToolCallContent } from './tool-call-content.ts';
import { kindOfTool } from './tool-names.ts';

/** A tool call, or a change of one, from any dialect in canonical words; the tag of the update is not its business. */
export function readToolCall(call: Fields, passage: Passage): Fields {
  return restore(readLocation(readOutput(readInput(readStatus(readKind(call))), passage)));
}

/** A `tool_call` of S0:236, whose title is the name of the tool and which has no kind. */
export function deriveKind(call: Fields): Fields {
  const { title, kind, name } = call;
  if (kind !== undefined || name !== undefined || typeof title !== 'string') return call;
  const derived = kindOfTool(title);
  if (derived === undefined) return call;
  return stash({ ...call, name: title, kind: derived }, { derived: ['name', 'kind'] });
}

/** S2:188 uses `kind` for the tag of the update and `toolKind` for the kind of the tool. */
function readKind(call: Fields): Fields {
  const isTag = call.kind === 'tool_call' || call.kind === 'tool_call_update';
  return rename(isTag ? without(call, 'kind') : call, 'toolKind', 'kind');
}

/** S0:244 says `running`; S2:181 has `cancelled`, which v1 lacks. */
function readStatus(call: Fields): Fields {
  if (call.status === 'running') return { ...call, status: 'in_progress' };
  if (call.status === 'cancelled') return stash({ ...call, status: 'failed' }, { status: 'cancelled' });
  return call;
}

function readInput(call: Fields): Fields {
  return rename(call, 'input', 'rawInput');
}

function readOutput(call: Fields, { state }: Passage): Fields {
  return mapItems(rename(call, 'output', 'content'), 'content', (item) => {
    const read = readToolCallContent(item);
    if (read === undefined) note(state, 'D88', 'A terminal without an id was left out of a tool call.');
    return read;
  });
}

/** S4:519 has one `location`. */
function readLocation(call: Fields): Fields {
  if (!isRecord(call.location)) return call;
  const rest = without(call, 'location');
  return rest.locations === undefined ? { ...rest, locations: [call.location] } : rest;
}

/** Whether a field was made up while reading, so that writing may leave it out again. */
export function isDerived(call: Fields, name: string): boolean {
  const derived = stashed(call, 'derived');
  return Array.isArray(derived) && derived.includes(name);
}
