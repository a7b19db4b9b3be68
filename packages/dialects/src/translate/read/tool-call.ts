import { type Fields, isRecord, mapItems, pick } from '../../fields.ts';
import type { TranslationContext } from '../context.ts';
import { keepFacts, keptFact, restore } from '../kept-facts.ts';
import { note } from '../state.ts';
import { readToolCallContent } from './tool-call-content.ts';
import { kindOfTool } from './tool-names.ts';

/** A tool call, or a change of one, from any dialect in canonical words; the tag of the update is not its business. */
export function readToolCall(call: Fields, context: TranslationContext): Fields {
  return restore(readStatus(readContent(readNames(call), context)));
}

/** A `tool_call` of S0:236, whose title is the name of the tool and which has no kind. */
export function deriveKind(call: Fields): Fields {
  const { title, kind, name } = call;
  if (kind !== undefined || name !== undefined || typeof title !== 'string') return call;
  const derived = kindOfTool(title);
  if (derived === undefined) return call;
  return keepFacts({ ...call, name: title, kind: derived }, { derived: ['name', 'kind'] });
}

/**
 * S2:188 uses `kind` for the tag of the update and `toolKind` for the kind of the tool, and calls input and content
 * differently; S4:519 has one `location`. A canonical name wins over a foreign one.
 */
function readNames(call: Fields): Fields {
  const isTag = call.kind === 'tool_call' || call.kind === 'tool_call_update';
  if (!isTag && !hasForeignName(call)) return call;
  const { kind, toolKind, input, output, location } = call;
  const read = pick(call, (name) => !FOREIGN_NAMES.has(name));
  if (!isTag && kind !== undefined) read.kind = kind;
  else if (toolKind !== undefined) read.kind = toolKind;
  if (input !== undefined) read.rawInput ??= input;
  if (output !== undefined) read.content ??= output;
  if (isRecord(location)) read.locations ??= [location];
  return read;
}

const FOREIGN_NAMES: ReadonlySet<string> = new Set(['kind', 'toolKind', 'input', 'output', 'location']);

function hasForeignName({ toolKind, input, output, location }: Fields): boolean {
  return toolKind !== undefined || input !== undefined || output !== undefined || location !== undefined;
}

/** S0:244 says `running`; S2:181 has `cancelled`, which v1 lacks. */
function readStatus(call: Fields): Fields {
  if (call.status === 'running') return { ...call, status: 'in_progress' };
  if (call.status === 'cancelled') return keepFacts({ ...call, status: 'failed' }, { status: 'cancelled' });
  return call;
}

function readContent(call: Fields, { state }: TranslationContext): Fields {
  return mapItems(call, 'content', (item) => {
    const read = readToolCallContent(item);
    if (read === undefined) note(state, 'D88', 'A terminal without an id was left out of a tool call.');
    return read;
  });
}

/** Whether a field was made up while reading, so that writing may leave it out again. */
export function isDerived(call: Fields, name: string): boolean {
  const derived = keptFact(call, 'derived');
  return Array.isArray(derived) && derived.includes(name);
}
