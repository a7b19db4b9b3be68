import type { Definition, Model, Shape } from './model.ts';
import { propertyKey, quote } from './text.ts';

/** Prints the names of fields: of each kind of update, of what an agent answers, and of what it asks and tells. */
export function printFields(model: Model): string {
  const methods = [...model.definitions.values()].filter(({ method }) => method !== undefined);
  const results = methods.filter(({ name, receiver }) => name.endsWith('Response') && receiver === 'agent');
  const params = methods.filter(({ name, receiver }) => !name.endsWith('Response') && receiver === 'client');
  return [
    printTable('UPDATE_FIELDS', 'Fields of each kind of `session/update`, without its tag', updatesOf(model)),
    printTable('RESULT_FIELDS', 'Fields of what an agent answers, by method', byMethod(results)),
    printTable('PARAMS_FIELDS', 'Fields of what an agent asks and tells, by method', byMethod(params)),
  ].join('\n');

  function byMethod(definitions: readonly Definition[]): readonly Row[] {
    return definitions
      .map(({ method = '', shape }): Row => [method, fieldsOf(shape, model)])
      .sort(([one], [other]) => (one < other ? -1 : 1));
  }
}

type Row = readonly [name: string, fields: ReadonlySet<string>];

function updatesOf(model: Model): readonly Row[] {
  const shape = model.definitions.get('SessionUpdate')?.shape;
  if (shape?.kind !== 'tagged') throw new Error('SessionUpdate is no union with a tag');
  return shape.union.variants.map(({ value, payload }): Row => [value, payload ? fieldsOf(payload, model) : new Set()]);
}

/** The fields of a value, those of its variants included; `_meta` may be everywhere. */
function fieldsOf(shape: Shape, model: Model): Set<string> {
  const fields = new Set<string>();
  collect(shape);
  fields.delete('_meta');
  return fields;

  function collect(part: Shape): void {
    switch (part.kind) {
      case 'ref':
        return collect(model.definitions.get(part.name)?.shape ?? { kind: 'unknown' });
      case 'nullable':
        return collect(part.inner);
      case 'anyOf':
        return part.options.forEach(collect);
      case 'untagged':
        return part.union.options.forEach(collect);
      case 'tagged':
        return collectTagged(part);
      case 'object':
        for (const { name } of part.properties) fields.add(name);
        if (part.union?.style === 'tagged') collectTagged({ kind: 'tagged', union: part.union });
        else part.union?.options.forEach(collect);
    }
  }

  function collectTagged({ union }: Extract<Shape, { kind: 'tagged' }>): void {
    fields.add(union.tag);
    for (const { payload } of union.variants) if (payload) collect(payload);
    union.untagged.forEach(collect);
    if (union.other) collect(union.other);
  }
}

function printTable(name: string, comment: string, rows: readonly Row[]): string {
  const lines = rows.map(([key, fields]) => `  ${propertyKey(key)}: [${[...fields].map(quote).join(', ')}],\n`);
  return `/** ${comment}. */\nexport const ${name}: Readonly<Record<string, readonly string[]>> = {\n${lines.join('')}};\n`;
}
