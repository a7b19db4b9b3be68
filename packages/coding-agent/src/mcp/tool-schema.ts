import { isRecord } from '@parley/host/json-files';

type Schema = Readonly<Record<string, unknown>>;

/** The arguments of a tool as every provider takes them, and the way back to what its server calls them. */
export interface ToolSchema {
  readonly schema: Schema;
  restore(args: Schema): Schema;
}

/**
 * Makes the schema of an MCP server's tool one that no provider refuses: with one such tool in its list a request fails as a whole,
 * and so would every other of the session. At the top only an object with properties is taken, whose names are plain and short.
 */
export function toolSchemaOf(given: Schema): ToolSchema {
  const flat = flatten(given, given, 0);
  const { $schema: _, properties = {}, required = [], ...rest } = flat;
  const names = plainNames(Object.keys(objectOf(properties)));
  const plain = new Map([...names].map(([name, original]) => [original, name]));
  const schema = {
    ...rest,
    type: 'object',
    properties: Object.fromEntries(
      Object.entries(objectOf(properties)).map(([name, value]) => [plain.get(name) ?? name, withItems(value)]),
    ),
    ...(isTexts(required) && required.length > 0 && { required: required.map((name) => plain.get(name) ?? name) }),
  };
  return {
    schema,
    restore: (args) =>
      Object.fromEntries(Object.entries(args).map(([name, value]) => [names.get(name) ?? name, value])),
  };
}

const MAX_DEPTH = 4;
/** What says which properties go together; at the top of a schema it is refused. */
const CHOICES = ['oneOf', 'anyOf'] as const;
const REFUSED_AT_TOP: ReadonlySet<string> = new Set([
  ...CHOICES,
  'allOf',
  'not',
  'enum',
  'const',
  'if',
  'then',
  'else',
  '$ref',
]);

/** One object that has the properties of all variants. What goes together is told in words. */
function flatten(given: Schema, root: Schema, depth: number): Schema {
  const own = followed(given, root);
  if (depth >= MAX_DEPTH || !Object.keys(own).some((key) => REFUSED_AT_TOP.has(key))) return own;
  const parts = (key: string): readonly Schema[] =>
    (Array.isArray(own[key]) ? own[key] : []).map((each) => flatten(objectOf(each), root, depth + 1));
  const [all, choices] = [parts('allOf'), CHOICES.map(parts).filter((each) => each.length > 0)];
  const variants = [own, ...all, ...choices.flat()];
  const required = [own, ...all].flatMap(requiredOf).concat(...choices.map(requiredByAll));
  const kept = Object.fromEntries(Object.entries(own).filter(([key]) => !REFUSED_AT_TOP.has(key)));
  const description = [own.description, ...choices.map(wordChoice)].filter((text) => typeof text === 'string' && text);
  return {
    ...kept,
    properties: joined(variants.map(({ properties }) => objectOf(properties))),
    required: [...new Set(required)],
    ...(description.length > 0 && { description: description.join(' ') }),
  };
}

/** A schema that is only a name for one of its own definitions. */
function followed(given: Schema, root: Schema): Schema {
  const { $ref: reference } = given;
  if (typeof reference !== 'string' || !reference.startsWith('#/')) return given;
  const target = reference
    .slice(2)
    .split('/')
    .reduce<Schema>((at, key) => objectOf(at[key.replaceAll('~1', '/').replaceAll('~0', '~')]), root);
  const { $ref: _, ...rest } = given;
  return { ...target, ...rest };
}

/** A property that variants describe in different ways may be any of them. */
function joined(variants: readonly Schema[]): Schema {
  const found = new Map<string, unknown[]>();
  for (const [name, value] of variants.flatMap((each) => Object.entries(each))) {
    const known = found.get(name) ?? [];
    if (!known.some((each) => JSON.stringify(each) === JSON.stringify(value))) found.set(name, [...known, value]);
  }
  return Object.fromEntries(
    [...found].map(([name, values]) => [name, values.length === 1 ? values[0] : { anyOf: values }]),
  );
}

function requiredOf({ required }: Schema): readonly string[] {
  return isTexts(required) ? required : [];
}

function requiredByAll(variants: readonly Schema[]): readonly string[] {
  const [first = [], ...others] = variants.map(requiredOf);
  return first.filter((name) => others.every((each) => each.includes(name)));
}

function wordChoice(variants: readonly Schema[]): string {
  const sets = [...new Set(variants.map((each) => requiredOf(each).join(', ')).filter((set) => set !== ''))];
  return sets.length < 2 ? '' : `Give one of these sets: ${sets.join('; or ')}.`;
}

const PLAIN_NAME = /^[a-zA-Z0-9_.-]{1,64}$/;
const MAX_NAME_CHARACTERS = 64;

/** The plain name of each property, and what the server calls it. */
function plainNames(originals: readonly string[]): ReadonlyMap<string, string> {
  const names = new Map(originals.filter((name) => PLAIN_NAME.test(name)).map((name) => [name, name]));
  for (const original of originals.filter((name) => !PLAIN_NAME.test(name))) {
    const stem = original.replace(/[^a-zA-Z0-9_.-]/g, '_').slice(0, MAX_NAME_CHARACTERS - 4) || '_';
    let name = stem;
    for (let count = 2; names.has(name); count++) name = `${stem}_${count}`;
    names.set(name, original);
  }
  return names;
}

/** Values, not schemas. */
const VALUES: ReadonlySet<string> = new Set(['default', 'enum', 'const', 'examples', 'example']);

/** A list that does not say of what is refused. */
function withItems(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(withItems);
  if (!isRecord(schema)) return schema;
  const entries = Object.entries(schema).map(([key, value]) => [key, VALUES.has(key) ? value : withItems(value)]);
  const lacksItems = schema.type === 'array' && schema.items === undefined && schema.prefixItems === undefined;
  return { ...Object.fromEntries(entries), ...(lacksItems && { items: {} }) };
}

/** Empty where a server sent something else. */
function objectOf(value: unknown): Schema {
  return isRecord(value) ? value : {};
}

function isTexts(value: unknown): value is readonly string[] {
  return Array.isArray(value) && value.every((each) => typeof each === 'string');
}
