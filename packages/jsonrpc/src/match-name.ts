/** What a person means by a name: one thing, one of several, or nothing that is there. */
export type NameMatch<Item> =
  | { readonly kind: 'one'; readonly item: Item }
  | { readonly kind: 'several'; readonly items: readonly Item[] }
  | { readonly kind: 'none' };

/** The names of an item: first its id, such as `anthropic/claude-sonnet-5-5`, then those for people. */
export type NamesOf<Item> = (item: Item) => readonly [id: string, ...names: readonly string[]];

/**
 * Finds what a name or a part of one means, as people name models: `sonnet`, `gpt-6.1`, `Claude Opus 5.5`. A whole name
 * counts before a part, and where a part fits several versions of one thing, the newest is meant.
 */
export function matchName<Item>(items: readonly Item[], wanted: string, namesOf: NamesOf<Item>): NameMatch<Item> {
  const word = wanted.trim();
  if (word === '') return { kind: 'none' };
  const whole =
    items.find((item) => namesOf(item)[0] === word) ??
    items.find((item) => bareOf(namesOf(item)[0]) === word) ??
    items.find((item) => namesOf(item).some((name) => squeeze(name) === squeeze(word)));
  if (whole !== undefined) return { kind: 'one', item: whole };
  const near = items.filter((item) => namesOf(item).some((name) => isPart(name, word)));
  const [only] = near;
  if (only === undefined) return { kind: 'none' };
  if (near.length === 1) return { kind: 'one', item: only };
  const families = new Set(near.map((item) => familyOf(namesOf(item)[0])));
  if (families.size > 1) return { kind: 'several', items: near };
  const newest = near.reduce((best, item) => (isNewer(namesOf(item)[0], namesOf(best)[0]) ? item : best));
  return { kind: 'one', item: newest };
}

/** The name without whose it is. */
function bareOf(id: string): string {
  return id.slice(id.indexOf('/') + 1);
}

/** `anthropic/sonnet` means a Sonnet of that provider only. */
function isPart(name: string, word: string): boolean {
  const slash = word.indexOf('/');
  if (slash > 0 && name.toLowerCase().startsWith(word.slice(0, slash + 1).toLowerCase())) {
    return isPart(name.slice(slash + 1), word.slice(slash + 1));
  }
  if (name.toLowerCase().includes(word.toLowerCase())) return true;
  const part = squeeze(word);
  return part !== '' && !word.includes('/') && squeeze(name).includes(part);
}

/** Letters and digits alone: people leave out what stands between them. */
function squeeze(name: string): string {
  return name.toLowerCase().replace(/[^\p{L}\p{N}]/gu, '');
}

/** A number before a letter is a size (`8b`) or a name (`4o`); any other is a version. */
const VERSION = /\d+(?![\p{L}\d])/gu;

function familyOf(id: string): string {
  return squeeze(id.replace(VERSION, ''));
}

function isNewer(id: string, than: string): boolean {
  const [one, other] = [versionOf(id), versionOf(than)];
  const at = one.findIndex((number, index) => number !== other[index]);
  return at >= 0 && (one[at] ?? 0) > (other[at] ?? -1);
}

/** A date tells copies of one version apart. */
function versionOf(id: string): readonly number[] {
  return [...id.matchAll(VERSION)].map(([digits]) => Number(digits)).filter((number) => number < 100_000);
}
