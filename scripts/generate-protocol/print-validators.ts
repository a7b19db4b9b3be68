import type { Definition, Model, ObjectShape, Shape, TaggedUnion, UntaggedUnion } from './model.ts';
import { createNaming, type Naming } from './naming.ts';
import { printProperty } from './print-property.ts';
import { isSimple, simpleTest, wording } from './simple-checks.ts';
import { access, quote } from './text.ts';

export interface ValidatorsOptions {
  readonly model: Model;
  /** Definitions that `base` has with the same meaning; their validators are imported from there. */
  readonly shared: ReadonlySet<string>;
  readonly base?: string;
  /** Module of the hand-written runtime. */
  readonly runtime: string;
}

/** What the generated code may import from the hand-written runtime. */
const RUNTIME_NAMES = [
  'INVALID',
  'anyOf',
  'boolean',
  'drop',
  'eitherOf',
  'exactlyOneOf',
  'expected',
  'expectedOneOf',
  'isDateTime',
  'isInteger',
  'isNumber',
  'isObject',
  'isText',
  'isWideInteger',
  'list',
  'map',
  'number',
  'object',
  'orElse',
  'put',
  'skipping',
  'string',
  'under',
  'unknown',
  'unknownVariant',
  'uri',
];
const RUNTIME_TYPES = ['Fields', 'Validators'];

/** Prints one function per type: unknown value in; the value, a repaired copy, or INVALID out. */
export function printValidators({ model, shared, base, runtime }: ValidatorsOptions): string {
  const naming = createNaming(model, printFunction);
  const validated = [...model.definitions.values()].filter((definition) => !definition.isEnvelope);
  const own = validated.filter(({ name }) => !shared.has(name));
  for (const { name, shape } of own) if (naming.isFunction(name)) printFunction(name, shape, naming);
  const body = naming.functions().join('\n\n');
  const map = printMap(validated, naming);

  const text = `${body}\n\n${map}\n`;
  const code = text.replaceAll(/'[^'\n]*'/g, "''");
  const uses = (name: string): boolean => new RegExp(`(?<![\\w.])${name}(?![\\w:])`).test(code);
  const inherited = [...shared].filter((name) => naming.isFunction(name) && uses(name));
  const imports = [
    ...(base === undefined ? [] : [`import {\n${importLines(inherited)}} from '${base}';`]),
    `import {\n${importLines(RUNTIME_NAMES.filter(uses))}} from '${runtime}';`,
    `import type { ${RUNTIME_TYPES.filter(uses).join(', ')} } from '${runtime}';`,
    `import type { TypeMap } from './types.gen.ts';`,
  ];
  return `${imports.join('\n')}\n\n${text}`;
}

function importLines(names: readonly string[]): string {
  return names.map((name) => `  ${name},\n`).join('');
}

/** Prints the function for a shape that is more than one simple test. */
function printFunction(name: string, shape: Shape, naming: Naming): void {
  switch (shape.kind) {
    case 'object':
      return naming.add(name, printObject(name, shape, naming));
    case 'enum':
      return naming.add(name, [
        `if (${shape.values.map((value) => `v === ${quote(value)}`).join(' || ')}) return v;`,
        `return expectedOneOf(${quoteList(shape.values)}, v);`,
      ]);
    case 'tagged':
    case 'untagged':
      return naming.add(name, [OBJECT_FIRST, ...printVariants(name, shape.union, naming)]);
    case 'anyOf':
      return naming.add(name, printAnyOf(shape.options, naming));
    case 'nullable':
      return printNullable(name, shape.inner, naming);
    default:
      return naming.add(name, [`return ${naming.call(shape, 'v', name)};`]);
  }
}

function printNullable(name: string, inner: Shape, naming: Naming): void {
  if (inner.kind === 'anyOf') return naming.add(name, printAnyOf([{ kind: 'null' }, ...inner.options], naming));
  naming.add(name, [`return v === null ? v : ${naming.call(inner, 'v', naming.inner(name, 'Value'))};`]);
}

const OBJECT_FIRST = `if (!isObject(v)) return expected('object', v);`;

function printObject(name: string, shape: ObjectShape, naming: Naming): string[] {
  if (shape.union && shape.properties.length === 0) return [OBJECT_FIRST, ...printVariants(name, shape.union, naming)];
  const properties = shape.properties.map((property) => printProperty(property, name, naming)).filter(Boolean);
  const start = shape.union ? printVariantFirst(name, shape, naming) : ['let o = v;'];
  const body = properties.join('\n');
  return [
    OBJECT_FIRST,
    ...(body.includes('(x = ') ? ['let x: unknown;'] : []),
    ...(body.includes('o = ') || shape.union ? start : []),
    ...properties,
    body.includes('o = ') || shape.union ? 'return o;' : 'return v;',
  ];
}

/** The fields of the variant are checked first; what it had to repair is then the object that goes on. */
function printVariantFirst(name: string, shape: ObjectShape, naming: Naming): string[] {
  const { union } = shape;
  if (union === undefined) return [];
  const variant = naming.inner(name, 'Variant');
  // A malformed tag that has a lenient property of its own is repaired there.
  const tag = union.style === 'tagged' ? union.tag : undefined;
  const isTagLenient = shape.properties.find((property) => property.name === tag)?.isLenient;
  naming.addFields(variant, printVariants(variant, union, naming, isTagLenient));
  return [`const variant = ${variant}(v);`, 'if (variant === INVALID) return INVALID;', 'let o = variant as Fields;'];
}

function printVariants(
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

function printAnyOf(options: readonly Shape[], naming: Naming): string[] {
  const resolved = options.map((option) => naming.resolveSimple(option));
  const tests = resolved.filter(isSimple).map((option) => simpleTest(option, 'v'));
  const lines = tests.length > 0 && !resolved.some(isUnknown) ? [`if (${tests.join(' || ')}) return v;`] : [];
  const checks = resolved.filter((option) => !isSimple(option) && !isUnknown(option));
  for (const check of checks.slice(0, resolved.some(isUnknown) ? undefined : -1)) {
    lines.push(`if ((x = ${naming.call(check, 'v', '')}) !== INVALID) return x;`);
  }
  if (lines.some((line) => line.includes('(x = '))) lines.unshift('let x: unknown;');
  if (resolved.some(isUnknown)) return [...lines, 'return v;'];
  const last = checks.at(-1);
  if (last === undefined || tests.length > 0) {
    if (last) lines.push(`if (Array.isArray(v)) return ${naming.call(last, 'v', '')};`);
    return [...lines, `return expected(${quote(listWords(resolved.map(wording)))}, v);`];
  }
  return [`return anyOf(v, ${checks.map((check) => `(v) => ${naming.call(check, 'v', '')}`).join(', ')});`];
}

function isUnknown(shape: Shape): boolean {
  return shape.kind === 'unknown';
}

function quoteList(values: readonly (string | number)[]): string {
  return quote(values.map((value) => JSON.stringify(value)).join(', '));
}

function listWords(words: readonly string[]): string {
  const unique = [...new Set(words)];
  return unique.length < 2 ? unique.join('') : `${unique.slice(0, -1).join(', ')} or ${unique.at(-1)}`;
}

function printMap(definitions: readonly Definition[], naming: Naming): string {
  const entries = definitions.map(({ name, shape }) => {
    const check = naming.isFunction(name) ? name : naming.reference(shape, name);
    return check === name ? `  ${name},` : `  ${name}: ${check},`;
  });
  return `/** Every validator by the name of its type. */\nexport const validators = {\n${entries.join('\n')}\n} as Validators<TypeMap>;`;
}
