import type { Condition, EventMapping } from '../description/description.ts';
import { compileItemPath, type ItemPath } from '../paths/compile-path.ts';
import { compileExtract, type Extractor } from './compile-extract.ts';
import type { LineReader, MatchListener, SignalListener } from './signal.ts';

interface CompiledMapping {
  readonly index: number;
  readonly extract: Extractor;
  /** Conditions beside the first, of the same item or of the line. */
  readonly others: readonly ((item: unknown, line: unknown) => boolean)[];
}

/** The mappings that look at one place of an item, by the value that they want there. */
interface Lookup {
  readonly key: string;
  readonly inItem: (item: unknown) => unknown;
  readonly byValue: Map<string, CompiledMapping[]>;
  /** Those that take any value, or any but some. */
  readonly others: { readonly isWanted: (value: unknown) => boolean; readonly mapping: CompiledMapping }[];
}

/** The mappings that look at the items of one list; the line is a list of one. */
interface Group {
  readonly list: string | undefined;
  readonly items: (line: unknown) => readonly unknown[];
  readonly lookups: Lookup[];
}

/**
 * All mappings as one function: every mapping that matches is applied, item by item in the order of the line, so that a text
 * between two tool calls stays between them. A line costs one look at each place that mappings look at, however many there are.
 */
export function compileMappings(mappings: readonly EventMapping[]): LineReader {
  const groups: Group[] = [];
  for (const [index, mapping] of mappings.entries()) addMapping(groups, mapping, index);
  return (line, listener, onMatch) => {
    let isSeen = false;
    for (const group of groups) isSeen = readGroup(group, line, { listener, onMatch }) || isSeen;
    return isSeen;
  };
}

interface Listeners {
  readonly listener: SignalListener;
  readonly onMatch: MatchListener | undefined;
}

function readGroup({ list, items, lookups }: Group, line: unknown, listeners: Listeners): boolean {
  if (list === undefined) return readItem(lookups, { item: line, line }, listeners);
  let isSeen = false;
  for (const item of items(line)) isSeen = readItem(lookups, { item, line }, listeners) || isSeen;
  return isSeen;
}

function readItem(
  lookups: readonly Lookup[],
  { item, line }: { readonly item: unknown; readonly line: unknown },
  { listener, onMatch }: Listeners,
): boolean {
  let found: readonly CompiledMapping[] = NONE;
  for (const { inItem, byValue, others } of lookups) {
    const value = inItem(item);
    const wanted = value === undefined || typeof value === 'object' ? undefined : byValue.get(String(value));
    if (wanted) found = found.length === 0 ? wanted : merge(found, wanted);
    for (const { isWanted, mapping } of others) if (isWanted(value)) found = merge(found, [mapping]);
  }
  let isSeen = false;
  for (const { index, extract, others } of found) {
    if (!allHold(others, item, line)) continue;
    isSeen = true;
    onMatch?.(index);
    const signal = extract(item, line);
    if (signal) listener(signal, index);
  }
  return isSeen;
}

function allHold(others: CompiledMapping['others'], item: unknown, line: unknown): boolean {
  for (const holds of others) if (!holds(item, line)) return false;
  return true;
}

const NONE: readonly CompiledMapping[] = [];

/** In the order of the description, each once. */
function merge(a: readonly CompiledMapping[], b: readonly CompiledMapping[]): readonly CompiledMapping[] {
  return [...new Set([...a, ...b])].sort((one, other) => one.index - other.index);
}

function addMapping(groups: Group[], mapping: EventMapping, index: number): void {
  const conditions = Array.isArray(mapping.match)
    ? (mapping.match as readonly Condition[])
    : [mapping.match as Condition];
  // The condition that names items decides what an item is; without one, the line is.
  const leading = conditions.find(({ path }) => path.includes('[*]')) ?? conditions[0];
  if (!leading) return;
  const path = compileItemPath(leading.path);
  const compiled: CompiledMapping = {
    index,
    extract: compileExtract(mapping),
    others: conditions.filter((each) => each !== leading).map((each) => compileCondition(each, path)),
  };
  addToLookup(lookupFor(groups, path), leading, compiled);
}

function addToLookup({ byValue, others }: Lookup, condition: Condition, mapping: CompiledMapping): void {
  const { value = '*', not } = condition;
  const values = wordsOf(value);
  if (values.includes('*') || not !== undefined) {
    others.push({ isWanted: compileWanted(condition), mapping });
    return;
  }
  for (const each of values) byValue.set(each, [...(byValue.get(each) ?? []), mapping]);
}

function lookupFor(groups: Group[], { list, items, inItem, inItemKey }: ItemPath): Lookup {
  let group = groups.find((each) => each.list === list);
  if (!group) {
    group = { list, items, lookups: [] };
    groups.push(group);
  }
  let lookup = group.lookups.find(({ key }) => key === inItemKey);
  if (!lookup) {
    lookup = { key: inItemKey, inItem, byValue: new Map(), others: [] };
    group.lookups.push(lookup);
  }
  return lookup;
}

/** A further condition looks at the same item where its path names the same list, and at the line otherwise. */
function compileCondition(condition: Condition, leading: ItemPath): CompiledMapping['others'][number] {
  const { list, items, inItem } = compileItemPath(condition.path);
  const isWanted = compileWanted(condition);
  if (list === undefined) return (_, line) => isWanted(inItem(line));
  if (list === leading.list) return (item) => isWanted(inItem(item));
  return (_, line) => items(line).some((item) => isWanted(inItem(item)));
}

function compileWanted({ value = '*', not }: Pick<Condition, 'value' | 'not'>): (found: unknown) => boolean {
  const values = new Set(wordsOf(value));
  const unwanted = new Set(not === undefined ? [] : wordsOf(not));
  const takesAny = values.has('*');
  return (found) => {
    if (found === undefined || found === null) return not !== undefined && value === '*';
    if (unwanted.has('*')) return false;
    const word = typeof found === 'object' ? undefined : String(found);
    if (word !== undefined && unwanted.has(word)) return false;
    return takesAny || (word !== undefined && values.has(word));
  };
}

function wordsOf(value: string | readonly string[]): readonly string[] {
  return typeof value === 'string' ? [value] : value;
}
