import { fileSchema } from '@parley/host/json-files';
import { DESCRIPTION_FIELDS } from './description-fields.ts';

/** A description as a JSON schema, for editors: `schema/description.schema.json` of this package. */
export function descriptionSchema(): Readonly<Record<string, unknown>> {
  return fileSchema({ title: 'A command-line agent, described for Parley', fields: DESCRIPTION_FIELDS });
}
