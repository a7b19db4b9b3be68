import { describeField, fileSchema } from '@parley/host/json-files';
import { CONFIG_KEYS } from './config-keys.ts';

/** The settings file as a JSON schema, for editors. */
export function configSchema(): Readonly<Record<string, unknown>> {
  const { properties, ...schema } = fileSchema({ title: 'Parley settings', fields: CONFIG_KEYS });
  const described = Object.entries(CONFIG_KEYS).map(([name, key]) => [name, describeField(key, key.default)]);
  return { ...schema, properties: { ...(properties as object), ...Object.fromEntries(described) } };
}
