import type { Definition, Model, Property, Shape, TaggedUnion, TaggedVariant, UntaggedUnion } from './model.ts';

/** A JSON Schema node, as far as the ACP schemas use the language. */
interface Schema {
  readonly type?: string | readonly string[];
  readonly format?: string;
  readonly const?: string | number;
  readonly default?: unknown;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly minLength?: number;
  readonly minItems?: number;
  readonly items?: Schema;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly additionalProperties?: boolean | Schema;
  readonly unevaluatedProperties?: boolean;
  readonly allOf?: readonly Schema[];
  readonly anyOf?: readonly Schema[];
  readonly oneOf?: readonly Schema[];
  readonly not?: Schema;
  readonly $ref?: string;
  readonly 'x-method'?: string;
  readonly 'x-side'?: string;
  readonly 'x-docs-ignore'?: boolean;
  readonly 'x-deserialize-default-on-error'?: boolean;
  readonly 'x-deserialize-default-on-null'?: boolean;
  readonly 'x-deserialize-skip-invalid-items'?: boolean;
}

export interface SchemaDocument {
  readonly $defs: Readonly<Record<string, Schema>>;
}

/** Integer formats narrower than 64 bits, with the bounds they imply. */
const INTEGER_BOUNDS: Readonly<Record<string, readonly [number, number]>> = {
  uint16: [0, 65_535],
  uint32: [0, 4_294_967_295],
  int32: [-2_147_483_648, 2_147_483_647],
};

/** Reads one schema document into the generator's model. */
export function readSchema(document: SchemaDocument): Model {
  const definitions = new Map<string, Definition>();
  for (const [name, schema] of Object.entries(document.$defs)) {
    definitions.set(name, {
      name,
      shape: readShape(schema, name),
      fingerprint: fingerprint(name, document.$defs),
      ...(schema['x-method'] && { method: schema['x-method'] }),
      ...(schema['x-side'] && { receiver: schema['x-side'] }),
      isEnvelope: schema['x-docs-ignore'] === true && schema['x-method'] === undefined,
    });
  }
  return { definitions };
}

function readShape(schema: Schema, where: string): Shape {
  if (schema.$ref !== undefined) return { kind: 'ref', name: refName(schema.$ref) };
  if (schema.const !== undefined) return { kind: 'const', value: schema.const };
  const options = schema.anyOf ?? schema.oneOf;
  if (options && schema.properties === undefined) return readUnion(schema, options, where);
  if (schema.allOf && schema.properties === undefined) return readShape(onlyOne(schema.allOf, where), where);
  if (schema.type === undefined) return { kind: 'unknown' };
  if (typeof schema.type === 'string') return readTyped(schema, schema.type, where);
  const [type, second] = schema.type;
  if (schema.type.length !== 2 || second !== 'null' || type === undefined) {
    throw new Error(`${where}: unsupported type ${JSON.stringify(schema.type)}`);
  }
  // `{}` with a type array of every kind would be `unknown`; the schemas only use [type, "null"].
  return { kind: 'nullable', inner: readTyped(schema, type, where) };
}

function readTyped(schema: Schema, type: string, where: string): Shape {
  switch (type) {
    case 'boolean':
    case 'null':
      return { kind: type };
    case 'string':
      return readString(schema);
    case 'number':
      return { kind: 'number', ...bounds(schema) };
    case 'integer':
      return readInteger(schema, where);
    case 'array':
      return {
        kind: 'array',
        items: schema.items ? readShape(schema.items, `${where}[]`) : { kind: 'unknown' },
        minItems: schema.minItems ?? 0,
        skipInvalidItems: schema['x-deserialize-skip-invalid-items'] === true,
      };
    case 'object':
      return readObject(schema, where);
    default:
      throw new Error(`${where}: unsupported type ${JSON.stringify(type)}`);
  }
}

function readString(schema: Schema): Shape {
  const isChecked = schema.format === 'uri' || schema.format === 'date-time';
  return {
    kind: 'string',
    ...(schema.minLength !== undefined && { minLength: schema.minLength }),
    ...(isChecked && { format: schema.format as 'uri' | 'date-time' }),
  };
}

function readInteger(schema: Schema, where: string): Shape {
  const format = schema.format ?? 'integer';
  const implied = INTEGER_BOUNDS[format];
  const wide = format === 'int64' || format === 'uint64';
  if (!implied && !wide) throw new Error(`${where}: unsupported integer format ${format}`);
  const minimum = Math.max(schema.minimum ?? -Infinity, implied?.[0] ?? -Infinity);
  const maximum = Math.min(schema.maximum ?? Infinity, implied?.[1] ?? Infinity);
  return {
    kind: 'integer',
    format,
    wide,
    ...(Number.isFinite(minimum) && { minimum }),
    ...(Number.isFinite(maximum) && { maximum }),
  };
}

function readObject(schema: Schema, where: string): Shape {
  const options = schema.anyOf ?? schema.oneOf;
  if (schema.properties === undefined && options === undefined && schema.allOf === undefined) {
    const values = schema.additionalProperties;
    return { kind: 'map', values: typeof values === 'object' ? readShape(values, where) : { kind: 'unknown' } };
  }
  const properties = readProperties(schema, where);
  const union = options && readVariants(schema, options, where);
  return {
    kind: 'object',
    properties,
    isOpen: schema.additionalProperties === true || schema.unevaluatedProperties === true,
    ...(union && { union }),
  };
}

function readProperties(schema: Schema, where: string): Property[] {
  return Object.entries(schema.properties ?? {}).map(([name, property]) => ({
    name,
    shape: readShape(property, `${where}.${name}`),
    isRequired: schema.required?.includes(name) ?? false,
    isLenient: property['x-deserialize-default-on-error'] === true,
    isNullEmpty: property['x-deserialize-default-on-null'] === true,
    ...(property.default !== undefined && { defaultValue: property.default }),
  }));
}

function readUnion(schema: Schema, options: readonly Schema[], where: string): Shape {
  const rest = options.filter((option) => option.type !== 'null' || option.properties !== undefined);
  if (rest.length < options.length) {
    const inner = rest.length === 1 ? onlyOne(rest, where) : { ...schema, anyOf: rest, oneOf: undefined };
    return { kind: 'nullable', inner: readShape(inner as Schema, where) };
  }
  if (options.length === 1) return readShape(onlyOne(options, where), where);
  const values = options.flatMap((option) => (option.const === undefined ? [] : [option.const]));
  if (values.length > 0) {
    const others = options.filter((option) => option.const === undefined);
    if (others.length === 0) return { kind: 'enum', values };
    const open = readShape(onlyOne(others, where), where);
    return { kind: 'anyOf', options: [{ kind: 'enum', values }, open] };
  }
  if (options.some((option) => option.type !== undefined && option.type !== 'object') || options.some(isUnknown)) {
    return { kind: 'anyOf', options: options.map((option) => readShape(option, where)) };
  }
  const union = readVariants(schema, options, where);
  return union.style === 'tagged' ? { kind: 'tagged', union } : { kind: 'untagged', union };
}

function readVariants(schema: Schema, options: readonly Schema[], where: string): TaggedUnion | UntaggedUnion {
  const tag = options.map(constantProperty).find((name) => name !== undefined);
  if (tag === undefined) {
    return {
      style: 'untagged',
      options: options.map((option) => readShape(option, where)),
      isExclusive: schema.oneOf !== undefined,
    };
  }
  const variants: TaggedVariant[] = [];
  const untagged: Shape[] = [];
  let other: Shape | undefined;
  let allowsNoTag = false;
  for (const option of options) {
    const tagSchema = option.properties?.[tag];
    if (typeof tagSchema?.const === 'string') {
      const payload = readPayload(option, tag, where);
      variants.push({ value: tagSchema.const, ...(payload && { payload }) });
    } else if (option.not !== undefined) {
      other = readOther(option, where);
    } else if (tagSchema?.type === 'null') {
      allowsNoTag = true;
    } else {
      untagged.push(readShape(option, where));
    }
  }
  return { style: 'tagged', tag, variants, untagged, allowsNoTag, ...(other && { other }) };
}

/** The variant of tags that the schema does not name. */
function readOther(option: Schema, where: string): Shape {
  const shape = readTyped({ ...option, additionalProperties: true }, 'object', where);
  if (shape.kind !== 'object' || shape.union?.style !== 'untagged') return shape;
  return { ...shape, union: { ...shape.union, isKeptWhole: true } };
}

/** What a tagged variant holds beside its tag. */
function readPayload(option: Schema, tag: string, where: string): Shape | undefined {
  const { [tag]: _tag, ...properties } = option.properties ?? {};
  const hasOwn = Object.keys(properties).length > 0;
  if (option.allOf && hasOwn) throw new Error(`${where}: a variant with both a reference and properties`);
  if (option.allOf) return readShape(onlyOne(option.allOf, where), where);
  return hasOwn ? readObject({ ...option, properties }, where) : undefined;
}

function constantProperty(option: Schema): string | undefined {
  return Object.entries(option.properties ?? {}).find(([, property]) => property.const !== undefined)?.[0];
}

function isUnknown(option: Schema): boolean {
  return readShape(option, '').kind === 'unknown';
}

function bounds(schema: Schema): { minimum?: number; maximum?: number } {
  return {
    ...(schema.minimum !== undefined && { minimum: schema.minimum }),
    ...(schema.maximum !== undefined && { maximum: schema.maximum }),
  };
}

function onlyOne(schemas: readonly Schema[], where: string): Schema {
  const [schema] = schemas;
  if (schema === undefined || schemas.length !== 1) throw new Error(`${where}: expected exactly one schema`);
  return schema;
}

function refName(ref: string): string {
  return ref.slice('#/$defs/'.length);
}

/** The definition and all it refers to, without descriptions. */
function fingerprint(name: string, definitions: SchemaDocument['$defs']): string {
  const seen = new Set<string>();
  const queue = [name];
  for (const next of queue) {
    if (seen.has(next)) continue;
    seen.add(next);
    for (const match of JSON.stringify(definitions[next]).matchAll(/"#\/\$defs\/(\w+)"/g)) {
      if (match[1] !== undefined) queue.push(match[1]);
    }
  }
  return [...seen].map((each) => `${each}=${JSON.stringify(definitions[each], withoutProse)}`).join('\n');
}

function withoutProse(this: unknown, key: string, value: unknown): unknown {
  const isProse = (key === 'description' || key === 'title') && typeof value === 'string';
  return isProse ? undefined : value;
}
