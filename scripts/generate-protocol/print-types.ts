import type { Definition, Model, ObjectShape, Property, Shape, TaggedUnion, UntaggedUnion } from './model.ts';
import { propertyKey, quote } from './text.ts';

export interface TypesOptions {
  readonly model: Model;
  /** Definitions that `base` has with the same meaning; they are re-exported from there. */
  readonly shared: ReadonlySet<string>;
  readonly base?: string;
  /** Module that exports `UnknownVariant`, for versions in which every union is open. */
  readonly unknownVariantModule?: string;
}

/**
 * Prints the TypeScript types of one schema, under the specification's names. Fields are read-only; lists are not, since
 * a `readonly` list cannot be given to the SDK's types.
 */
export function printTypes({ model, shared, base, unknownVariantModule }: TypesOptions): string {
  const own = [...model.definitions.values()].filter((definition) => !shared.has(definition.name));
  const marksUnknown = unknownVariantModule !== undefined;
  const body = own.map((definition) => printDefinition(definition, marksUnknown)).join('\n\n');
  return [...imports(body), body, printTypeMap(model), ''].join('\n\n');

  function imports(text: string): string[] {
    const lines: string[] = [];
    if (text.includes('UnknownVariant<')) {
      lines.push(`import type { UnknownVariant } from '${unknownVariantModule}';`);
    }
    if (base !== undefined) {
      // The type map at the end names every definition, so all shared ones are needed here as well.
      lines.push(`import type {\n${[...shared].map((name) => `  ${name},\n`).join('')}} from '${base}';`);
      lines.push(`export type {\n${[...shared].map((name) => `  ${name},\n`).join('')}};`);
    }
    return lines;
  }
}

function printDefinition(definition: Definition, marksUnknown: boolean): string {
  const { name, shape } = definition;
  const comment = definitionComment(definition);
  if (shape.kind === 'object' && shape.union === undefined) {
    return `${comment}export interface ${name} ${printObject(shape, '', marksUnknown)}`;
  }
  return `${comment}export type ${name} =${spaced(printShape(shape, '', marksUnknown))};`;
}

function definitionComment({ name, method, isEnvelope, shape }: Definition): string {
  if (method !== undefined) {
    const role = name.endsWith('Response') ? 'Result' : 'Params';
    return `/** ${role} of \`${method}\`. */\n`;
  }
  if (isEnvelope) return `/** The envelope of a message; the connection reads it. */\n`;
  const facts = shapeFacts(shape);
  return facts ? `/** ${facts} */\n` : '';
}

function printShape(shape: Shape, indent: string, marksUnknown: boolean): string {
  switch (shape.kind) {
    case 'unknown':
    case 'boolean':
    case 'null':
    case 'string':
    case 'number':
      return shape.kind;
    case 'integer':
      return 'number';
    case 'const':
      return quote(shape.value);
    case 'enum':
      return shape.values.map(quote).join(' | ');
    case 'array':
      return `Array<${printShape(shape.items, indent, marksUnknown)}>`;
    case 'map':
      return `{ readonly [key: string]: ${printShape(shape.values, indent, marksUnknown)} }`;
    case 'nullable':
      return printNullable(shape.inner, indent, marksUnknown);
    case 'ref':
      return shape.name;
    case 'anyOf':
      return printAnyOf(shape.options, indent, marksUnknown);
    case 'tagged':
    case 'untagged':
      return printUnion(shape.union, indent, marksUnknown);
    case 'object':
      return printObjectType(shape, indent, marksUnknown);
  }
}

function printNullable(inner: Shape, indent: string, marksUnknown: boolean): string {
  const type = printShape(inner, indent, marksUnknown);
  return type.startsWith('\n') ? `${type}\n${indent}  | null` : `${type} | null`;
}

/** An open enumeration keeps its known values for completion: `'a' | (string & {})` does not collapse to `string`. */
function printAnyOf(options: readonly Shape[], indent: string, marksUnknown: boolean): string {
  const [first, second] = options;
  if (first?.kind === 'enum' && (second?.kind === 'string' || second?.kind === 'integer')) {
    return `${printShape(first, indent, marksUnknown)} | (${printShape(second, indent, marksUnknown)} & {})`;
  }
  return [...new Set(options.map((option) => printShape(option, indent, marksUnknown)))].join(' | ');
}

function printObjectType(shape: ObjectShape, indent: string, marksUnknown: boolean): string {
  const fields = printObject(shape, indent, marksUnknown);
  if (shape.union === undefined) return fields;
  const union = `(${printUnion(shape.union, indent, marksUnknown)}\n${indent})`;
  return shape.properties.length === 0 ? union : `${union} & ${fields}`;
}

function printObject(shape: ObjectShape, indent: string, marksUnknown: boolean): string {
  const inner = `${indent}  `;
  const lines = shape.properties.map((property) => printProperty(property, inner, marksUnknown));
  if (shape.isOpen) lines.push(`${inner}readonly [key: string]: unknown;\n`);
  return lines.length === 0 ? '{}' : `{\n${lines.join('')}${indent}}`;
}

function printProperty(property: Property, indent: string, marksUnknown: boolean): string {
  const facts = [shapeFacts(property.shape), defaultFact(property)].filter(Boolean).join(' ');
  const comment = facts ? `${indent}/** ${facts} */\n` : '';
  const mark = property.isRequired ? '' : '?';
  const type = printShape(property.shape, indent, marksUnknown);
  return `${comment}${indent}readonly ${propertyKey(property.name)}${mark}:${spaced(type)};\n`;
}

function printUnion(union: TaggedUnion | UntaggedUnion, indent: string, marksUnknown: boolean): string {
  const inner = `${indent}  `;
  const members =
    union.style === 'untagged'
      ? union.options.map((option) => printShape(option, inner, marksUnknown))
      : printTaggedMembers(union, inner, marksUnknown);
  return members.map((member) => `\n${inner}| ${member}`).join('');
}

function printTaggedMembers(union: TaggedUnion, indent: string, marksUnknown: boolean): string[] {
  const members = union.variants.map(({ value, payload }) => {
    const tag = `readonly ${propertyKey(union.tag)}: ${quote(value)}`;
    if (payload === undefined) return `{ ${tag} }`;
    return `({ ${tag} } & ${printShape(payload, indent, marksUnknown)})`;
  });
  if (union.other) members.push(...printOther(union.other, union.tag, indent, marksUnknown));
  if (union.allowsNoTag) members.push(`{ readonly ${propertyKey(union.tag)}?: null }`);
  members.push(...union.untagged.map((shape) => printShape(shape, indent, marksUnknown)));
  return members;
}

/**
 * The variant with a tag the schema does not name. Where all unions are open, a writer may only mint tags that start
 * with an underscore; a reader may meet others, and those carry a brand that a literal cannot have by accident.
 */
function printOther(other: Shape, tag: string, indent: string, marksUnknown: boolean): string[] {
  const plain = printShape(other, indent, marksUnknown);
  if (!marksUnknown || other.kind !== 'object') return [plain];
  const properties = other.properties.filter((property) => property.name !== tag);
  const fields: ObjectShape = { kind: 'object', properties, isOpen: true };
  const custom = printObject(fields, indent, marksUnknown).replace(
    '{\n',
    `{\n${indent}  readonly ${tag}: \`_\${string}\`;\n`,
  );
  const withoutUnion: ObjectShape = { kind: 'object', properties: other.properties, isOpen: true };
  const unknown = `UnknownVariant<${printObject(withoutUnion, indent, marksUnknown)}>`;
  if (other.union === undefined) return [custom, unknown];
  const shared = `(${printUnion(other.union, indent, marksUnknown)}\n${indent})`;
  return [`(${shared} & ${custom})`, `(${shared} & ${unknown})`];
}

/** A union starts on a line of its own. */
function spaced(type: string): string {
  return type.startsWith('\n') ? type : ` ${type}`;
}

function shapeFacts(shape: Shape): string {
  switch (shape.kind) {
    case 'integer':
      return shape.minimum !== undefined && shape.minimum > 0
        ? `${shape.format}, at least ${shape.minimum}.`
        : `${shape.format}.`;
    case 'number':
      return shape.minimum === undefined ? '' : `From ${shape.minimum} to ${shape.maximum}.`;
    case 'string':
      if (shape.format === 'uri') return 'A URI.';
      if (shape.format === 'date-time') return 'An RFC 3339 date and time.';
      return shape.minLength ? 'Not empty.' : '';
    case 'array':
      return shape.minItems > 0 ? 'Not empty.' : '';
    case 'nullable':
      return shapeFacts(shape.inner);
    default:
      return '';
  }
}

function defaultFact({ defaultValue }: Property): string {
  return defaultValue === undefined ? '' : `Default: \`${JSON.stringify(defaultValue)}\`.`;
}

function printTypeMap(model: Model): string {
  const names = [...model.definitions.values()].filter((definition) => !definition.isEnvelope);
  const lines = names.map(({ name }) => `  ${name}: ${name};\n`);
  return `/** Every type by its name. */\nexport interface TypeMap {\n${lines.join('')}}`;
}
