import type { EmittedAs, EventMapping, ExtractDescription } from '../description/description.ts';
import { compilePath, type Getter } from '../paths/compile-path.ts';
import {
  diffOf,
  inputOf,
  isTrue,
  locationsOf,
  numberOf,
  plainTextOf,
  planOf,
  statusOf,
  textOf,
} from './read-values.ts';
import { type PermissionSignal, type Signal, TOKEN_COUNTS, type ToolCallSignal, type UsageSignal } from './signal.ts';

/** Makes of a line, or of one item of it, what a mapping says; undefined when there is nothing in it to tell. */
export type Extractor = (item: unknown, line: unknown) => Signal | undefined;

/** One mapping as a function. */
export function compileExtract({ emitAs, extract = {}, answer }: EventMapping): Extractor {
  const get = compileGetters(extract);
  switch (emitAs) {
    case 'message':
    case 'thought':
    case 'message_delta':
    case 'thought_delta':
      return compileText(emitAs, get);
    case 'tool_call':
    case 'tool_result':
      return (item, line) => readToolCall(emitAs, get, { item, line });
    case 'plan':
      return compilePlan(extract, get);
    case 'usage':
      return (item, line) => readUsage(get, { item, line });
    case 'error':
      return (item, line) => ({ type: 'error', message: textOf(get.content?.(item, line)) ?? 'The command failed.' });
    case 'permission':
      return (item, line): PermissionSignal => {
        const values = Object.fromEntries(Object.entries(get).map(([name, getter]) => [name, getter?.(item, line)]));
        const { toolCallId } = values;
        const call = readToolCall('tool_call', get, { item, line });
        const id = typeof toolCallId === 'string' ? toolCallId : call.id;
        const answers = answer ?? { allow: null, reject: null };
        return { type: 'permission', call: { ...call, ...(id !== undefined && { id }) }, answers, values };
      };
    case 'session':
      return textSignal(get.id ?? get.content, (id) => ({ type: 'session', id }));
    case 'model':
      return textSignal(get.content ?? get.id, (model) => ({ type: 'model', model }));
    case 'title':
      return textSignal(get.content ?? get.title, (title) => ({ type: 'title', title }));
    case 'notice':
      return (item, line) => {
        const content = textOf(get.content?.(item, line));
        const title = textOf(get.title?.(item, line)) ?? content;
        if (title === undefined) return undefined;
        const severity = textOf(get.severity?.(item, line)) ?? 'info';
        return {
          type: 'notice',
          severity,
          title,
          ...(content !== undefined && content !== title && { description: content }),
        };
      };
    case 'ignore':
      return () => undefined;
  }
}

type Getters = Readonly<Partial<Record<string, Getter>>>;
interface Place {
  readonly item: unknown;
  readonly line: unknown;
}

function compileGetters(extract: ExtractDescription): Getters {
  const { diff, entry: _, ...paths } = extract;
  const own = Object.entries(paths).flatMap(([name, path]) =>
    typeof path === 'string' ? [[name, compilePath(path)] as const] : [],
  );
  const ofDiff = Object.entries(diff ?? {}).map(([name, path]) => [`diff.${name}`, compilePath(path)] as const);
  return Object.fromEntries([...own, ...ofDiff]);
}

function compileText(emitAs: EmittedAs, { content, id }: Getters): Extractor {
  if (!content) return () => undefined;
  const type = emitAs.startsWith('message') ? 'message' : 'thought';
  const isPiece = emitAs.endsWith('_delta');
  return (item, line) => {
    const text = textOf(content(item, line));
    if (text === undefined || text === '') return undefined;
    // What the person said is echoed by some command lines, and pieces are marked by others.
    const { role, delta } = Object(item) as { readonly role?: unknown; readonly delta?: unknown };
    if (role === 'user' && type === 'message') return undefined;
    const messageId = id && plainTextOf(id(item, line));
    return { type, text, isPiece: isPiece || delta === true, ...(messageId !== undefined && { id: messageId }) };
  };
}

function readToolCall(type: 'tool_call' | 'tool_result', get: Getters, { item, line }: Place): ToolCallSignal {
  const text = (name: string): string | undefined => plainTextOf(get[name]?.(item, line));
  const [id, name, title, kind] = [text('id'), text('name'), text('title'), text('kind')];
  const input = inputOf(get.input?.(item, line));
  const output = get.output?.(item, line);
  const content = textOf(get.content?.(item, line));
  const isError = get.isError !== undefined && isTrue(get.isError(item, line));
  const status = isError ? 'failed' : statusOf(get.status?.(item, line));
  const locations = locationsOf(get.locations?.(item, line));
  const diff = diffOf(get['diff.path']?.(item, line), get['diff.old']?.(item, line), get['diff.new']?.(item, line));
  return {
    type,
    ...(id !== undefined && { id }),
    ...(name !== undefined && { name }),
    ...(title !== undefined && { title }),
    ...(kind !== undefined && { kind }),
    ...(status !== undefined && { status }),
    ...(input !== undefined && { input }),
    ...(output !== undefined && { output }),
    ...(content !== undefined && { content }),
    ...(locations && { locations }),
    ...(diff && { diff }),
  };
}

function compilePlan({ entry = {} }: ExtractDescription, get: Getters): Extractor {
  const lists = [get.entries, get.content, get.input].filter((list) => list !== undefined);
  const fields = Object.entries(entry).map(([name, path]) => [name, compilePath(path)] as const);
  const read = (step: unknown): Readonly<Record<string, unknown>> => ({
    ...(step as object),
    ...Object.fromEntries(fields.map(([name, getter]) => [name, getter(step, step)])),
  });
  return (item, line) => {
    for (const list of lists) {
      const entries = planOf(list(item, line), read);
      if (entries.length > 0) return { type: 'plan', entries };
    }
    return undefined;
  };
}

const COUNTS = ['used', 'size', 'cost', ...TOKEN_COUNTS] as const;

function readUsage(get: Getters, { item, line }: Place): UsageSignal | undefined {
  const counts = COUNTS.flatMap((name) => {
    const count = numberOf(get[name]?.(item, line));
    return count === undefined ? [] : [[name, count] as const];
  });
  if (counts.length === 0) return undefined;
  const isTotal = plainTextOf(get.since?.(item, line)) === 'session';
  return { type: 'usage', ...Object.fromEntries(counts), ...(isTotal && { isTotal }) };
}

function textSignal(getter: Getter | undefined, make: (text: string) => Signal): Extractor {
  return (item, line) => {
    const text = plainTextOf(getter?.(item, line));
    return text === undefined || text === '' ? undefined : make(text);
  };
}
