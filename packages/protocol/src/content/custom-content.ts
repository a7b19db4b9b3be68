import { isRecord } from '@parley/jsonrpc/internal';
import type { ContentBlock } from '../v1/types.gen.ts';
import type { Validator } from '../validation/parse.ts';
import { INVALID } from '../validation/problem.ts';

/**
 * Content of a type that the specification does not name. The schema of version 1 has five types and no more, so a reader
 * that follows it to the letter drops the message; Parley keeps the block, whole, beside those it knows. The name of one's
 * own type begins with `_`, as everything does that is added to the protocol.
 */
export interface CustomContent {
  readonly type: `_${string}`;
  readonly [field: string]: unknown;
}

const CONTENT_TYPES: ReadonlySet<string> = new Set<ContentBlock['type']>([
  'text',
  'image',
  'audio',
  'resource_link',
  'resource',
]);
/** What a tool call shows; blocks are wrapped in `content`. */
const SHOWN_TYPES: ReadonlySet<string> = new Set(['content', 'diff', 'terminal']);

/** Whether a block that was read is of a type that the specification does not name, and was kept as it came. */
export function isCustomContent(block: { readonly type: string }): boolean {
  return !CONTENT_TYPES.has(block.type) && !SHOWN_TYPES.has(block.type);
}

/** Gives a block of one's own the type that messages hold, for those who send it: `turn.say(customBlock({ type: '_chart' }))`. */
export function customBlock(block: CustomContent): ContentBlock {
  return block as unknown as ContentBlock;
}

/** The first few words of a block of a type that is not known, for views that cannot show it. */
export function customContentLabel({ type }: { readonly type: string }): string {
  return `[content of type ${type}]`;
}

type Fields = Readonly<Record<string, unknown>>;

/** Blocks that were taken out of a message, by what stands in their place. */
export type ReplacedBlocks = Map<object, Fields>;

/**
 * Reads a message by its validator, and keeps content of unknown types in its place. A known type with a malformed block
 * is refused as before.
 */
export function keepCustomContent<T>(validator: Validator<T>, value: unknown): T | typeof INVALID {
  const checked = validator(value);
  // A value that needed no repair holds nothing unknown, and that is nearly every one.
  if (checked === value) return checked;
  const replaced: ReplacedBlocks = new Map();
  const plain = replaceCustomContent(value, replaced);
  if (replaced.size === 0) return checked;
  const kept = validator(plain);
  return kept === INVALID ? INVALID : (putBack(kept, replaced) as T);
}

/** The message with plain blocks in place of those of unknown types, which `replaced` then holds; itself when there are none. */
export function replaceCustomContent(value: unknown, replaced: ReplacedBlocks): unknown {
  return changeContent(value, (fields, isShown) => {
    const { type } = fields;
    if (typeof type !== 'string' || !isCustomContent({ type })) return fields;
    const text = { type: 'text', text: '' };
    const standIn = isShown ? { type: 'content', content: text } : text;
    replaced.set(standIn, fields);
    return standIn;
  });
}

function putBack(value: unknown, replaced: ReplacedBlocks): unknown {
  return changeContent(value, (fields) => replaced.get(fields) ?? fields);
}

/** Where messages hold content, or what holds it. */
const PLACES = ['update', 'toolCall', 'prompt', 'content', 'summary'] as const;

/** Calls `change` with each block of a message; `isShown` for the items of a tool call. Copies only what changes. */
function changeContent(value: unknown, change: (block: Fields, isShown: boolean) => object): unknown {
  if (!isRecord(value)) return value;
  let copy: Record<string, unknown> | undefined;
  for (const place of PLACES) {
    const before = value[place];
    if (typeof before !== 'object' || before === null) continue;
    const after = changeAt(place, before, change);
    if (after === before) continue;
    copy ??= { ...value };
    copy[place] = after;
  }
  return copy ?? value;
}

function changeAt(place: (typeof PLACES)[number], value: object, change: (block: Fields, isShown: boolean) => object) {
  if (place === 'update' || place === 'toolCall') return changeContent(value, change);
  const changeOne = (item: unknown, isShown: boolean): unknown => {
    if (!isRecord(item)) return item;
    const changed = change(item, isShown);
    return changed === item && item.type === 'content' ? changeContent(item, change) : changed;
  };
  if (!Array.isArray(value)) return changeOne(value, false);
  let copy: unknown[] | undefined;
  for (const [index, item] of value.entries()) {
    const changed = changeOne(item, place === 'content');
    if (changed === item) continue;
    copy ??= value.slice();
    copy[index] = changed;
  }
  return copy ?? value;
}
