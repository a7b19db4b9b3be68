import type { Field, Fields, Shape } from './shape.ts';

export interface FileSchemaOptions {
  readonly title: string;
  readonly fields: Fields;
  /** The address under which it is found. */
  readonly id?: string;
}

/** A whole file as a JSON schema, for editors. */
export function fileSchema({ title, fields, id }: FileSchemaOptions): Readonly<Record<string, unknown>> {
  return {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    ...(id !== undefined && { $id: id }),
    title,
    ...toSchema({ type: 'object', fields: { $schema: { shape: { type: 'string' }, says: 'this schema' }, ...fields } }),
  };
}

export function describeField({ shape, says }: Field, byDefault?: unknown): object {
  return { description: says, ...toSchema(shape), ...(byDefault === undefined ? {} : { default: byDefault }) };
}

/** A shape as a JSON schema. */
export function toSchema(shape: Shape): Readonly<Record<string, unknown>> {
  switch (shape.type) {
    case 'any':
      return {};
    case 'notation':
      return { type: 'string' };
    case 'string':
    case 'boolean':
    case 'null':
      return { type: shape.type };
    case 'number':
      return numberSchema(shape);
    case 'integer':
      return {
        type: 'integer',
        minimum: shape.min,
        ...(shape.max < Number.MAX_SAFE_INTEGER && { maximum: shape.max }),
      };
    case 'choice':
      return { enum: shape.values };
    case 'list':
      return { type: 'array', items: toSchema(shape.items), ...(shape.minItems && { minItems: shape.minItems }) };
    case 'map':
      return { type: 'object', additionalProperties: toSchema(shape.values) };
    case 'object':
      return objectSchema(shape.fields, shape.hasOthers === true);
    case 'tagged':
      return { oneOf: Object.values(shape.shapes).map(toSchema) };
    case 'either':
      return { anyOf: shape.shapes.map(toSchema) };
  }
}

function numberSchema({
  min,
  max,
}: {
  readonly min?: number;
  readonly max?: number;
}): Readonly<Record<string, unknown>> {
  if (min === undefined && max === undefined) return { type: 'number', exclusiveMinimum: 0 };
  return {
    type: 'number',
    ...(min !== undefined && min > Number.NEGATIVE_INFINITY && { minimum: min }),
    ...(max !== undefined && { maximum: max }),
  };
}

function objectSchema(fields: Fields, hasOthers: boolean): Readonly<Record<string, unknown>> {
  const entries = Object.entries(fields);
  const required = entries.filter(([, { isRequired }]) => isRequired === true).map(([name]) => name);
  return {
    type: 'object',
    properties: Object.fromEntries(entries.map(([name, field]) => [name, describeField(field)])),
    ...(required.length > 0 && { required }),
    additionalProperties: hasOthers,
  };
}
