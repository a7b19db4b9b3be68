import { isRecord } from '@parley/jsonrpc/internal';
import type { Condition, EventMapping, ExtractDescription, ResultDescription } from '../description/description.ts';
import { findField } from './find-field.ts';

export interface ProposedEvents {
  readonly outputEvents: readonly EventMapping[];
  readonly result: ResultDescription | undefined;
}

/** Something in the output that has a type: a line, a part of it, or an item of a list in it. */
interface Typed {
  readonly match: readonly Condition[];
  /** All words that say what it is. */
  readonly words: string;
  readonly value: Readonly<Record<string, unknown>>;
  /** What stands before its fields; empty for items, whose paths start anew. */
  readonly prefix: string;
}

/** A mapping for each type that occurs, by what its name and its fields suggest; what suggests nothing is left to the person. */
export function proposeEvents(lines: readonly unknown[]): ProposedEvents {
  const found = new Map<string, Typed>();
  for (const line of lines) {
    for (const typed of listTyped(line)) {
      const key = JSON.stringify(typed.match);
      // A later one may have fields that the first did not have yet.
      found.set(key, { ...typed, value: { ...found.get(key)?.value, ...typed.value } });
    }
  }
  const all = [...found.values()];
  const result = all.findLast(({ words, prefix, match }) => prefix === '' && match.length === 1 && RESULT.test(words));
  return {
    outputEvents: all.filter((typed) => typed !== result).flatMap((typed) => proposeMapping(typed) ?? []),
    result: result && proposeResult(result),
  };
}

const TYPE_FIELDS = ['type', 'event', 'kind'];
const PARTS = ['item', 'part', 'data', 'payload', 'msg', 'event'];
const LISTS = ['message.content', 'content', 'items', 'parts'];
const RESULT =
  /^(result|done|completed?|final|end|finish(ed)?|completion|turn[._ ]?(completed?|end(ed)?)|agent[._ ]?end)$/i;

function listTyped(line: unknown): readonly Typed[] {
  const type = typeOf(line);
  if (!type || !isRecord(line)) return [];
  const { path, word } = type;
  const own: Condition = { path, value: word };
  const parts = PARTS.flatMap((name): Typed[] => {
    const part = line[name];
    const inside = typeOf(part);
    if (!inside || !isRecord(part)) return [];
    const condition = { path: `$.${name}.${inside.path.slice(2)}`, value: inside.word };
    return [{ match: [own, condition], words: `${word} ${inside.word}`, value: part, prefix: `${name}.` }];
  });
  const items = LISTS.flatMap((name) => {
    const list = name.split('.').reduce<unknown>((value, step) => (isRecord(value) ? value[step] : undefined), line);
    return (Array.isArray(list) ? list : []).flatMap((item): Typed[] => {
      const inside = typeOf(item);
      if (!inside || !isRecord(item)) return [];
      const condition = { path: `$.${name}[*].${inside.path.slice(2)}`, value: inside.word };
      return [{ match: [condition, own], words: `${word} ${inside.word}`, value: item, prefix: '' }];
    });
  });
  if (parts.length + items.length > 0) return [...parts, ...items];
  return [{ match: [own], words: word, value: line, prefix: '' }];
}

function typeOf(value: unknown): { readonly path: string; readonly word: string } | undefined {
  if (!isRecord(value)) return undefined;
  const field = TYPE_FIELDS.find((name) => typeof value[name] === 'string');
  return field === undefined ? undefined : { path: `$.${field}`, word: value[field] as string };
}

const TEXT_FIELDS = [
  'text',
  'delta.text',
  'delta',
  'content',
  'message.content',
  'message.text',
  'message',
  'output_text',
  'thinking',
  'data',
];
const isText = (value: unknown): boolean => typeof value === 'string' && value !== '';

function proposeMapping({ match, words, value, prefix }: Typed): EventMapping | undefined {
  const at = (paths: readonly string[], fits?: (found: unknown) => boolean): string | undefined => {
    const found = findField(value, paths, fits);
    return found === undefined ? undefined : `$.${prefix}${found.slice(2)}`;
  };
  const conditions = match.length === 1 ? (match[0] as Condition) : match;
  const make = (emitAs: EventMapping['emitAs'], fields: Readonly<Record<string, string | undefined>>): EventMapping => {
    const known = Object.entries(fields).filter((field) => field[1] !== undefined);
    return { match: conditions, emitAs, extract: Object.fromEntries(known) as ExtractDescription };
  };
  const content = at(TEXT_FIELDS, isText);
  const tool = {
    id: at(['id', 'tool_use_id', 'tool_call_id', 'tool_id', 'call_id', 'callID', 'toolCallId'], isText),
    name: at(['name', 'tool_name', 'toolName', 'tool'], isText),
  };
  if (/error|fail/i.test(words))
    return make('error', { content: at(['message', 'error.message', 'error', 'content', 'text'], isText) });
  if (value.role === 'user' || /(^| )user($| text)/i.test(words)) return make('ignore', {});
  if (/tool.*(result|output|end|complete|finish)|function_call_output/i.test(words))
    return make('tool_result', {
      ...tool,
      output: at(['output', 'result', 'content', 'response']),
      isError: at(['is_error', 'isError']),
    });
  if (/tool|function_call|command_execution/i.test(words))
    return make('tool_call', {
      ...tool,
      ...(tool.name === undefined && { title: at(['title', 'command'], isText) }),
      input: at(['input', 'args', 'arguments', 'parameters', 'params']),
      output: at(['output', 'result', 'aggregated_output']),
      status: at(['status'], isText),
    });
  const isThought = /think|reason|thought/i.test(words);
  const isPiece = /delta|chunk|partial/i.test(words) || value.delta === true;
  if (isThought && content !== undefined) return make(isPiece ? 'thought_delta' : 'thought', { content });
  if (isPiece && content !== undefined) return make('message_delta', { content });
  if (/assistant|message|text|content|answer|response/i.test(words) && content !== undefined)
    return make('message', { content });
  if (/init|system|start|begin|session|thread|config/i.test(words)) return make('ignore', {});
  return undefined;
}

function proposeResult({ match, value }: Typed): ResultDescription {
  const [{ path = '$.type', value: word = '*' } = {}] = match;
  const isError = findField(value, ['is_error', 'isError']);
  return {
    matchPath: path,
    matchValue: String(word),
    contentPath: findField(value, ['result', 'text', 'content', 'message', 'response', 'output'], isText) ?? '$.result',
    ...(isError !== undefined && { isErrorPath: isError }),
  };
}
