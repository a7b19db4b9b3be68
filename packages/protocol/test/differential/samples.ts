import type { Random } from '@parley/testing/mutations';

/** A JSON Schema node, read loosely: this generator shares nothing with the one that prints the validators. */
export interface Schema {
  readonly [keyword: string]: unknown;
}

export type Definitions = Readonly<Record<string, Schema>>;

/** Makes values that a schema allows, from the name of a definition. */
export function createSampler(definitions: Definitions, random: Random): (name: string) => unknown {
  return (name) => sample({ $ref: `#/$defs/${name}` });

  function sample(schema: Schema): unknown {
    if (typeof schema.$ref === 'string') return sample(definitions[schema.$ref.slice('#/$defs/'.length)] ?? {});
    if (schema.const !== undefined) return schema.const;
    const parts = [...list(schema.allOf), ...pickOne(list(schema.anyOf ?? schema.oneOf))].map(sample);
    const type = Array.isArray(schema.type) ? random.pick(schema.type as string[]) : schema.type;
    if (schema.properties !== undefined || (type === 'object' && parts.length > 0)) parts.push(fields(schema));
    return parts.length > 0 ? merge(parts) : plain(schema, type);
  }

  function plain(schema: Schema, type: unknown): unknown {
    switch (type) {
      case 'null':
        return null;
      case 'boolean':
        return random.chance(0.5);
      case 'string':
        return text(schema);
      case 'number':
        return random.pick([0, 1, 0.5]);
      case 'integer':
        return random.pick([1, 2, 7, 65_535]);
      case 'array':
        return Array.from({ length: 1 + random.below(3) }, () => sample((schema.items as Schema | undefined) ?? {}));
      case 'object':
        return fields(schema);
      default:
        return random.pick<unknown>([null, 5, 'anything', [1, 'two'], { any: { thing: true } }]);
    }
  }

  function fields(schema: Schema): Record<string, unknown> {
    const required = (schema.required ?? []) as readonly string[];
    const result: Record<string, unknown> = {};
    for (const [key, property] of Object.entries((schema.properties ?? {}) as Record<string, Schema>)) {
      if (required.includes(key) || random.chance(0.6)) result[key] = sample(property);
    }
    if (typeof schema.additionalProperties === 'object' && schema.additionalProperties !== null) {
      for (const key of ['first', 'second key']) result[key] = sample(schema.additionalProperties as Schema);
    }
    return result;
  }

  function text(schema: Schema): string {
    if (schema.format === 'uri') return random.pick(['file:///a/b', ' https://example.com/x ', 'urn:x:y']);
    if (schema.format === 'date-time') return random.pick(['2024-02-29T23:59:59Z', '2026-01-31T00:00:00.123+02:00']);
    return random.pick(['text', '/absolute/path', '_custom', 'x']);
  }

  function pickOne(options: readonly Schema[]): readonly Schema[] {
    return options.length === 0 ? [] : [random.pick(options)];
  }
}

function list(value: unknown): readonly Schema[] {
  return (value ?? []) as readonly Schema[];
}

/** Fields of the parts together; a part that is no object is all there is. */
function merge(parts: readonly unknown[]): unknown {
  const other = parts.find((part) => typeof part !== 'object' || part === null || Array.isArray(part));
  return other === undefined ? Object.assign({}, ...parts) : other;
}
