import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { describe, expect, it } from 'vitest';
import { PROTOCOLS } from '../src/versions/protocol.ts';
import { wordsOf } from '../src/versions/words.ts';

type Schema = { readonly [name: string]: unknown };

const resolve = createRequire(import.meta.url).resolve;

describe.each(PROTOCOLS)('the fields of version %i', (protocol) => {
  const path = resolve(`@agentclientprotocol/sdk/schema/v${protocol}/schema.unstable.json`);
  const schema = JSON.parse(readFileSync(path, 'utf8')) as { readonly $defs: Readonly<Record<string, Schema>> };
  const { knownFields, schemas } = wordsOf(protocol);

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

  it.each(Object.entries(knownFields.result))('are those of the result of %s', (method, known) => {
    expectSame(known, typeFor(method, 'Response'));
  });

  it.each(Object.entries(knownFields.params))('are those of the params of %s', (method, known) => {
    const isRequest = schemas.some(({ requestSpec }) => requestSpec(method) !== undefined);
    expectSame(known, typeFor(method, isRequest ? 'Request' : 'Notification'));
  });

  it.each(Object.entries(knownFields.update))('are those of %s', (variant, known) => {
    const { oneOf, anyOf } = schema.$defs.SessionUpdate ?? {};
    const variants = (oneOf ?? anyOf ?? []) as Schema[];
    const type = variants.find((candidate) => JSON.stringify(candidate.properties).includes(`"${variant}"`));
    expectSame(known, type);
  });
});
