import { rm } from 'node:fs/promises';
import { usageError } from '@parley/host/command-line';
import { didYouMean } from '@parley/host/json-files';
import { KEY_PROVIDERS } from '@parley/models/discovery';
import { loadConfig } from '../config/load-config.ts';
import type { CliContext } from '../context.ts';
import { keysFile } from '../models/keys-file.ts';
import { changeStoredKey, isSet, readStoredKeys } from '../models/stored-keys.ts';

/** Takes away a stored key, or all of them. */
export async function logOut(word: string | undefined, isAll: boolean, context: CliContext): Promise<void> {
  const { places } = await loadConfig(context);
  if (isAll) {
    await rm(keysFile(places), { force: true });
    return void context.stdout.write('No key is stored any more.\n');
  }
  const names = Object.keys(await readStoredKeys(places));
  const [only] = names;
  if (only === undefined) throw usageError(`No key is stored in ${keysFile(places)}.`, 'parley login');
  const name = word ?? (names.length === 1 ? only : undefined);
  if (name === undefined) {
    throw usageError(`Keys of ${names.join(', ')} are stored.`, `parley logout ${only}`, 'parley logout --all');
  }
  if (!names.includes(name)) {
    throw usageError(`No key of "${name}" is stored.${didYouMean(name, names)}`, `parley logout ${only}`);
  }
  await changeStoredKey(places, name, undefined);
  context.stdout.write(`The key of ${name} is no longer stored.\n`);
  const variables = KEY_PROVIDERS.find(({ provider }) => provider === name)?.variables ?? [];
  if (isSet(variables, context.env)) context.stderr.write(`${variables.join(' or ')} is still set.\n`);
}
