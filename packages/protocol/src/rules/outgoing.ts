import { isRecord } from '@parley/jsonrpc/internal';
import { type ReplacedBlocks, replaceCustomContent } from '../content/custom-content.ts';
import type { Validator } from '../validation/parse.ts';
import { INVALID, type Problem, takeProblem } from '../validation/problem.ts';
import { broken } from './broken.ts';

/**
 * What is wrong with a message that is about to be sent. Readers are lenient: they drop a malformed field and skip a
 * malformed item, and nobody hears of it. A writer is not: what a reader would repair is refused here, with its path.
 * `customContent` names the content types of one's own that may be sent.
 */
export function checkOutgoing(
  validator: Validator<unknown>,
  value: unknown,
  customContent?: ReadonlySet<string> | 'any',
): Problem | undefined {
  // What needs no repair holds nothing of one's own either, and that is nearly every message.
  if (validator(value) === value) return undefined;
  const replaced: ReplacedBlocks = new Map();
  const plain = replaceCustomContent(value, replaced);
  for (const { type } of replaced.values()) {
    if (customContent === 'any' || customContent?.has(String(type))) continue;
    const path = pathOf(value, (each) => isRecord(each) && each.type === type) ?? [];
    const expected = 'content of the specification, or of a type declared in customContent';
    return broken([...path, 'type'], expected, quote(type));
  }
  const checked = validator(plain);
  if (checked === INVALID) return takeProblem();
  if (checked === plain) return undefined;
  const lost = findLost(plain, checked);
  return lost && broken(lost.path, 'a value that the specification allows', quote(lost.received));
}

interface Lost {
  readonly path: (string | number)[];
  readonly received: unknown;
}

/** The first thing that a reader dropped, skipped or replaced. Defaults that it has put in are no loss. */
function findLost(original: unknown, read: unknown): Lost | undefined {
  if (original === read) return undefined;
  if (Array.isArray(original) && Array.isArray(read)) {
    if (original.length === read.length) return firstLost(original.entries(), (index) => read[index]);
    const index = original.findIndex((item, at) => item !== read[at]);
    return { path: [index], received: original[index] };
  }
  if (!isRecord(original) || !isRecord(read)) return { path: [], received: original };
  return firstLost(Object.entries(original), (key) => read[key]);
}

function firstLost<Key extends string | number>(
  entries: Iterable<[Key, unknown]>,
  readAt: (key: Key) => unknown,
): Lost | undefined {
  for (const [key, value] of entries) {
    if (value === undefined) continue;
    const lost = findLost(value, readAt(key));
    if (lost) return { ...lost, path: [key, ...lost.path] };
  }
  return undefined;
}

function pathOf(value: unknown, matches: (value: unknown) => boolean): (string | number)[] | undefined {
  if (matches(value)) return [];
  if (typeof value !== 'object' || value === null) return undefined;
  for (const [key, item] of Object.entries(value)) {
    const path = pathOf(item, matches);
    if (path) return [Array.isArray(value) ? Number(key) : key, ...path];
  }
  return undefined;
}

const MAX_QUOTED_CHARACTERS = 60;

function quote(value: unknown): string {
  const text = JSON.stringify(value) ?? typeof value;
  return text.length > MAX_QUOTED_CHARACTERS ? `${text.slice(0, MAX_QUOTED_CHARACTERS)}…` : text;
}
