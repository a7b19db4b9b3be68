import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import fc from 'fast-check';

interface Schema {
  readonly [keyword: string]: unknown;
}

const sdk = join(createRequire(import.meta.url).resolve('@agentclientprotocol/sdk'), '../../../..');
const definitions = JSON.parse(readFileSync(join(sdk, 'schema/v1/schema.json'), 'utf8')).$defs as Record<
  string,
  Schema
>;

/** Words that mean something to one dialect or another, so that values meet the rules for them. */
const WORDS = ['', 'text', '/w/a.txt', 'Read', 'a b', '3', 'high', 'stdio', 'deny', 'tool_call', 'full'];
const URIS = ['file:///w/a.txt', 'https://x.test/a?b#c', 'urn:x:y'];

const known = new Map<string, fc.Arbitrary<unknown>>();

/** Everything that a named definition of the v1 schema allows. */
export function arbitraryOf(name: string): fc.Arbitrary<unknown> {
  const definition = definitions[name];
  if (!definition) throw new Error(`the schema has no ${name}`);
  const arbitrary = known.get(name) ?? of(definition);
  known.set(name, arbitrary);
  return arbitrary;
}

/** Each method that has a definition in the schema, with the name of its params or result. */
export function definitionsOf(
  kind: 'Request' | 'Response' | 'Notification',
): readonly { method: string; name: string }[] {
  return Object.entries(definitions)
    .filter(([name, schema]) => schema['x-method'] !== undefined && name.endsWith(kind))
    .map(([name, schema]) => ({ method: String(schema['x-method']), name }));
}

function of(schema: Schema): fc.Arbitrary<unknown> {
  if (typeof schema.$ref === 'string') return arbitraryOf(schema.$ref.slice('#/$defs/'.length));
  if (schema.const !== undefined) return fc.constant(schema.const);
  const choices = list(schema.anyOf ?? schema.oneOf);
  const parts = list(schema.allOf).map(of);
  if (choices.length > 0) parts.push(fc.oneof(...choices.map(of)));
  const types = Array.isArray(schema.type) ? (schema.type as string[]) : [schema.type];
  if (schema.properties !== undefined) parts.push(fields(schema));
  if (parts.length > 0) return fc.tuple(...parts).map(merge);
  return fc.oneof(...types.map((type) => plain(schema, type)));
}

function plain(schema: Schema, type: unknown): fc.Arbitrary<unknown> {
  switch (type) {
    case 'null':
      return fc.constant(null);
    case 'boolean':
      return fc.boolean();
    case 'string':
      return text(schema);
    case 'number':
      return fc.constantFrom(0, 0.1, 0.5, 0.8, 1);
    case 'integer':
      return fc.constantFrom(0, 1, 7, 255);
    case 'array':
      return fc.array(of((schema.items as Schema | undefined) ?? {}), { maxLength: 3 });
    case 'object':
      return fields(schema);
    default:
      return fc.constantFrom<unknown>(5, 'anything', [1, 'two'], { any: { thing: null } }, null, {});
  }
}

function fields(schema: Schema): fc.Arbitrary<unknown> {
  const properties = Object.entries((schema.properties ?? {}) as Record<string, Schema>);
  const { additionalProperties: more } = schema;
  const named = fc.record(Object.fromEntries(properties.map(([name, property]) => [name, of(property)])), {
    requiredKeys: (schema.required ?? []) as never[],
  });
  if (more === true) return fc.constantFrom({}, { traceparent: '00-1' }, { 'x.test/a': { b: [1] } });
  if (typeof more !== 'object' || more === null) return named;
  return fc.dictionary(fc.constantFrom('first', 'second key'), of(more as Schema));
}

function text(schema: Schema): fc.Arbitrary<string> {
  if (schema.format === 'uri') return fc.constantFrom(...URIS);
  if (schema.format === 'date-time') return fc.constant('2026-01-31T00:00:00Z');
  return fc.oneof(fc.constantFrom(...WORDS), fc.string({ maxLength: 8 }));
}

function list(value: unknown): readonly Schema[] {
  return (value ?? []) as readonly Schema[];
}

function merge(parts: readonly unknown[]): unknown {
  const other = parts.find((part) => typeof part !== 'object' || part === null || Array.isArray(part));
  return other === undefined ? Object.assign({}, ...parts) : other;
}
