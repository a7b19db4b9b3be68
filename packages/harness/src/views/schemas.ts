import { didYouMean } from '@parley/host/json-files';
import { HarnessError } from '../errors.ts';
import { FORMATS } from '../formats/index.ts';

type Schema = Readonly<Record<string, unknown>>;

export interface NamedSchema {
  readonly name: string;
  readonly says: string;
  readonly schema: Schema;
}

/** Every file format as JSON schema, draft 2020-12. */
export function listSchemas(): readonly NamedSchema[] {
  return FORMATS.map((format) => ({ name: format.name, says: format.says, schema: format.schema() }));
}

/** One of them by its name, in any case. */
export function findSchema(name: string): NamedSchema {
  const all = listSchemas();
  const found = all.find((each) => each.name.toLowerCase() === name.toLowerCase());
  if (found !== undefined) return found;
  const names = all.map((each) => each.name);
  throw new HarnessError('options_invalid', `There is no format "${name}".${didYouMean(name, names)}`);
}

/** All in one schema: each is a definition by its name. */
export function combineSchemas(): Schema {
  return {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    title: 'Formats of parley eval',
    $defs: Object.fromEntries(listSchemas().map(({ name, schema: { $schema: _, ...schema } }) => [name, schema])),
  };
}
