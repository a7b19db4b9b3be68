import type { Shape, TaggedUnion, UntaggedUnion } from './model.ts';
import type { Naming } from './naming.ts';
import { isSimple, simpleTest, wording } from './simple-checks.ts';
import { access, quote, quoteList } from './text.ts';

/** Prints the lines that check the object `v` against the variants of a union. */
export function printVariants(
  name: string,
  union: TaggedUnion | UntaggedUnion,
  naming: Naming,
  isTagLenient?: boolean,
): string[] {
  return union.style === 'tagged'
    ? printTagged(name, union, naming, isTagLenient)
    : [printUntagged(name, union, naming)];
}

function printTagged(name: string, union: TaggedUnion, naming: Naming, isTagLenient = false): string[] {
  const tag = access('v', union.tag);
  const [untagged] = union.untagged;
  const fallback = untagged && naming.reference(untagged, naming.inner(name, 'Untagged'));
  const cases = new Map<string, string[]>();
  for (const { value, payload } of union.variants) {
    const checked = payload ? naming.call(payload, 'v', naming.inner(name, value)) : 'v';
    const result = fallback && payload ? `orElse(${checked}, v, ${quote(union.tag)}, ${fallback})` : checked;
    cases.set(result, [...(cases.get(result) ?? []), `case ${quote(value)}:`]);
  }
  const lines = [...cases].flatMap(([result, labels]) => [
    ...labels.map((label) => `  ${label}`),
    `    return ${result};`,
  ]);
  return [`switch (${tag}) {`, ...lines, '}', ...printUnlisted({ name, union, naming, fallback, isTagLenient })];
}

interface Unlisted {
  readonly name: string;
  readonly union: TaggedUnion;
  readonly naming: Naming;
  /** The check of the variant without a tag. */
  readonly fallback: string | undefined;
  readonly isTagLenient: boolean;
}

/** What happens to a tag that the schema does not name. */
function printUnlisted({ name, union, naming, fallback, isTagLenient }: Unlisted): string[] {
  const tag = access('v', union.tag);
  const lines: string[] = [];
  if (union.other) lines.push(`if (typeof ${tag} === 'string') return ${printOther(name, union, naming)};`);
  if (isTagLenient) return ['return v;'];
  if (union.allowsNoTag) lines.push(`if (${tag} == null) return v;`);
  if (fallback) return [...lines, `return ${fallback}(v);`];
  if (union.other) return [...lines, `return expected('string', ${tag}, ${quote(union.tag)});`];
  const names = quoteList(union.variants.map(({ value }) => value));
  return [...lines, `return unknownVariant(${names}, ${tag}, ${quote(union.tag)});`];
}

function printOther(name: string, union: TaggedUnion, naming: Naming): string {
  if (union.other?.kind !== 'object') return 'v';
  const properties = union.other.properties.filter((property) => property.name !== union.tag);
  if (properties.length === 0 && !union.other.union) return 'v';
  return naming.call({ ...union.other, properties }, 'v', naming.inner(name, 'Other'));
}

function printUntagged(name: string, union: UntaggedUnion, naming: Naming): string {
  if (union.isKeptWhole && !union.isExclusive) {
    const checks = union.options.map((option, index) =>
      naming.reference(option, naming.inner(name, `Option${index + 1}`)),
    );
    return `return anyOf(v, ${checks.join(', ')});`;
  }
  const variants = union.options.map((option, index) => {
    const check = naming.reference(option, naming.inner(name, `Option${index + 1}`));
    const required = requiredKeys(option, naming);
    const others = union.options.filter((other) => other !== option).flatMap((other) => requiredKeys(other, naming));
    const marks = required.filter((key) => !others.includes(key));
    return `{ check: ${check}, marks: [${marks.map(quote).join(', ')}] }`;
  });
  const table = naming.constant(name, `[${variants.join(', ')}]`);
  return `return ${union.isExclusive ? 'exactlyOneOf' : 'eitherOf'}(v, ${table});`;
}

function requiredKeys(shape: Shape, naming: Naming): string[] {
  const object = naming.resolve(shape);
  if (object.kind !== 'object') throw new Error('An untagged union of something else than objects');
  return object.properties.filter((property) => property.isRequired).map((property) => property.name);
}

/** Prints the lines that check `v` against alternatives that are not all objects. */
export function printAnyOf(options: readonly Shape[], naming: Naming): string[] {
  const resolved = options.map((option) => naming.resolveSimple(option));
  const tests = resolved.filter(isSimple).map((option) => simpleTest(option, 'v'));
  const complex = resolved.filter((option) => !isSimple(option) && !isUnknown(option));
  const checks = complex.map((option) => naming.call(option, 'v', ''));

  if (resolved.some(isUnknown)) {
    // Anything is allowed; what fits an option is still repaired as that option would be.
    const lines = checks.map((check) => `if ((x = ${check}) !== INVALID) return x;`);
    return [...(lines.length > 0 ? ['let x: unknown;'] : []), ...lines, 'return v;'];
  }
  if (tests.length === 0) return [`return anyOf(v, ${checks.map((check) => `(v) => ${check}`).join(', ')});`];
  if (complex.some(({ kind }) => kind !== 'array')) throw new Error('A union of plain values and something else');
  return [
    `if (${tests.join(' || ')}) return v;`,
    ...checks.map((check) => `if (Array.isArray(v)) return ${check};`),
    `return expected(${quote(listWords(resolved.map(wording)))}, v);`,
  ];
}

function isUnknown(shape: Shape): boolean {
  return shape.kind === 'unknown';
}

function listWords(words: readonly string[]): string {
  const unique = [...new Set(words)];
  return unique.length < 2 ? unique.join('') : `${unique.slice(0, -1).join(', ')} or ${unique.at(-1)}`;
}
