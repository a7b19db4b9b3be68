import { type Environment, KEY_PROVIDERS } from '@parley/models/discovery';
import { readStoredKeys } from '../models/stored-keys.ts';
import type { Places } from '../places.ts';

/** Where the key of a provider comes from, as a part of a sentence; empty for one that needs none, or is described. */
export async function wordKey(name: string, env: Environment, places: Places): Promise<string> {
  const variables = KEY_PROVIDERS.find(({ provider }) => provider === name)?.variables ?? [];
  const variable = variables.find((each) => env[each]);
  if (variable !== undefined) return `, its key is in ${variable}`;
  return (await readStoredKeys(places))[name] === undefined ? '' : ', its key is stored (parley login)';
}
