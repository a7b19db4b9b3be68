import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { METHODS } from '@parley/protocol/unstable';
import { expect, it } from 'vitest';
import { KNOWN_FIELDS } from '../src/lints/known-fields.ts';

type Schema = { readonly [name: string]: unknown };

const path = createRequire(import.meta.url).resolve('@agentclientprotocol/sdk/schema/v1/schema.unstable.json');
const schema = JSON.parse(readFileSync(path, 'utf8')) as { readonly $defs: Readonly<Record<string, Schema>> };

/** Fields of a type, those of its variants included. */
function fieldsOf(type: Schema): string[] {
  const own = Object.keys((type.properties ?? {}) as object);
  const parts = ['oneOf', 'anyOf', 'allOf'].flatMap((key) => (type[key] ?? []) as Schema[]);
  const target = typeof type.$ref === 'string' ? schema.$defs[type.$ref.split('/').at(-1) ?? ''] : undefined;
  return [...own, ...parts.flatMap(fieldsOf), ...(target ? fieldsOf(target) : [])];
}

function typeFor(method: string, kind: 'Request' | 'Response' | 'Notification'): Schema | undefined {
  return Object.entries(schema.$defs).find(([name, type]) => type['x-method'] === method && name.endsWith(kind))?.[1];
}

function expectSame(known: readonly string[], type: Schema | undefined): void {
  expect(type).toBeDefined();
  const fields = new Set(fieldsOf(type ?? {}));
  fields.delete('_meta');
  fields.delete('sessionUpdate');
  expect([...fields].sort()).toEqual([...known].sort());
}

it.each(Object.entries(KNOWN_FIELDS.result))('knows the fields of the result of %s', (method, known) => {
  expectSame(known, typeFor(method, 'Response'));
});

it.each(Object.entries(KNOWN_FIELDS.params))('knows the fields of the params of %s', (method, known) => {
  expectSame(known, typeFor(method, method in METHODS && method !== 'session/update' ? 'Request' : 'Notification'));
});

it.each(Object.entries(KNOWN_FIELDS.update))('knows the fields of %s', (variant, known) => {
  const variants = (schema.$defs.SessionUpdate?.oneOf ?? []) as Schema[];
  const type = variants.find((candidate) => JSON.stringify(candidate.properties).includes(`"${variant}"`));
  expectSame(known, type);
});
