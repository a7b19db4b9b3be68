import { didYouMean } from '@parley/host/json-files';
import { HarnessError } from '../errors.ts';
import { FORMATS } from '../formats/index.ts';
import type { NamedSchema } from './named-schema.ts';
import { PROTOCOL_SCHEMAS } from './protocol-schemas.ts';

/** Every file format, and what travels between client and agent, as JSON schema, draft 2020-12. */
export function listSchemas(): readonly NamedSchema[] {
  const formats = FORMATS.map((format) => ({ name: format.name, says: format.says, schema: format.schema() }));
  return [...formats, ...PROTOCOL_SCHEMAS];
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
export function combineSchemas(): NamedSchema['schema'] {
  return {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    title: 'Formats of parley eval',
    $defs: Object.fromEntries(listSchemas().map(({ name, schema: { $schema: _, ...schema } }) => [name, schema])),
  };
}
