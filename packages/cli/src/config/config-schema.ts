import { CONFIG_KEYS, type Field, type Shape } from './config-keys.ts';

/** The settings file as a JSON schema, for editors. */
export function configSchema(): Readonly<Record<string, unknown>> {
  return {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    title: 'Parley settings',
    type: 'object',
    properties: {
      $schema: { type: 'string' },
      ...Object.fromEntries(Object.entries(CONFIG_KEYS).map(([name, key]) => [name, describe(key, key.default)])),
    },
    additionalProperties: false,
  };
}

function describe({ shape, says }: Field, byDefault?: unknown): object {
  return { description: says, ...toSchema(shape), ...(byDefault === undefined ? {} : { default: byDefault }) };
}

function toSchema(shape: Shape): object {
  switch (shape.type) {
    case 'any':
      return {};
    case 'string':
    case 'boolean':
      return { type: shape.type };
    case 'number':
      return { type: 'number', exclusiveMinimum: 0 };
    case 'choice':
      return { enum: shape.values };
    case 'list':
      return { type: 'array', items: toSchema(shape.items) };
    case 'map':
      return { type: 'object', additionalProperties: toSchema(shape.values) };
    case 'object':
      return {
        type: 'object',
        properties: Object.fromEntries(Object.entries(shape.fields).map(([name, field]) => [name, describe(field)])),
        additionalProperties: false,
      };
    case 'either':
      return { anyOf: shape.shapes.map(toSchema) };
  }
}
