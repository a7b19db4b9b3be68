import { isRecord } from '@parley/jsonrpc/internal';
import type { Random } from './random.ts';

/** A place in a value: a field or an item, and what it lies in. */
interface Place {
  readonly holder: Record<string, unknown> | unknown[];
  readonly key: string;
}

/** What may be put anywhere: every JSON type, and the numbers and strings that implementations get wrong. */
const JUNK: readonly unknown[] = [
  null,
  true,
  false,
  0,
  -0,
  -1,
  1,
  1.5,
  65_535,
  65_536,
  4_294_967_295,
  4_294_967_296,
  -2_147_483_649,
  2 ** 53 + 2,
  1e300,
  Infinity,
  -Infinity,
  '',
  ' ',
  'x',
  '_custom',
  'constructor',
  '__proto__',
  'C:\\x',
  'http://exa\nmple.com ',
  '2023-02-29T00:00:00Z',
  '2000-02-29T24:00:00Z',
  [],
  [null],
  [[]],
  {},
  { type: 'text' },
  { constructor: 5 },
];

const EXTRA_KEYS = ['extra', 'constructor', 'toString', 'hasOwnProperty', '__proto__', 'type', '_meta', 'then'];

/** Damages a copy of a value in one to four places. `words` are tags and names that occur in the schema. */
export function mutate(value: unknown, random: Random, words: readonly string[]): unknown {
  const root = { value: structuredClone(value) };
  for (let count = 1 + random.below(4); count > 0; count--) mutateOnce(root, random, words);
  return root.value;
}

function mutateOnce(root: { value: unknown }, random: Random, words: readonly string[]): void {
  const place = random.pick(places(root));
  const value = read(place);
  switch (random.below(9)) {
    case 0:
    case 1:
      return write(place, structuredClone(random.pick(JUNK)));
    case 2:
      return remove(place);
    case 3:
      return write(place, random.pick(words));
    case 4:
      return write(place, structuredClone(read(random.pick(places(root)))));
    case 5:
      return write(place, random.chance(0.5) ? [value] : { [random.pick(words)]: value });
    case 6:
      if (Array.isArray(value)) value.splice(random.below(value.length + 1), 0, structuredClone(random.pick(JUNK)));
      return;
    default:
      if (isRecord(value)) setOwn(value, random.pick([...EXTRA_KEYS, ...words]), structuredClone(random.pick(JUNK)));
  }
}

function places(root: { value: unknown }): Place[] {
  const found: Place[] = [{ holder: root, key: 'value' }];
  for (const place of found) {
    const value = read(place);
    if (typeof value !== 'object' || value === null) continue;
    for (const key of Object.keys(value)) found.push({ holder: value as Record<string, unknown>, key });
  }
  return found;
}

function read({ holder, key }: Place): unknown {
  return Object.getOwnPropertyDescriptor(holder, key)?.value;
}

function write({ holder, key }: Place, value: unknown): void {
  setOwn(holder, key, value);
}

function remove({ holder, key }: Place): void {
  if (Array.isArray(holder)) holder.splice(Number(key), 1);
  else if (key !== 'value' || Object.keys(holder).length > 1) delete holder[key];
}

/** As JSON.parse does it: `__proto__` becomes a property like any other. */
function setOwn(holder: object, key: string, value: unknown): void {
  Object.defineProperty(holder, key, { value, writable: true, enumerable: true, configurable: true });
}
