import { existsSync } from 'node:fs';
import { readFile, rename, rm, writeFile } from 'node:fs/promises';
import { CliError } from '@parley/host/command-line';
import type { Environment, KeyProvider } from '@parley/models/discovery';
import { isRecord } from '../config/check-config.ts';
import { withFileLock } from '../file-lock.ts';
import type { Places } from '../places.ts';
import { keysFile } from './keys-file.ts';

/** Keys of model providers that `parley login` was given, by the name of the provider. */
export type StoredKeys = Readonly<Record<string, string>>;

export async function readStoredKeys(places: Pick<Places, 'config'>): Promise<StoredKeys> {
  const path = keysFile(places);
  if (!existsSync(path)) return {};
  const broken = (cause: unknown): CliError =>
    new CliError('settings_invalid', `The stored keys in ${path} cannot be read.`, {
      cause,
      next: ['parley logout --all'],
    });
  try {
    const keys: unknown = JSON.parse(await readFile(path, 'utf8'));
    if (!isRecord(keys)) throw new TypeError('no object');
    return Object.fromEntries(Object.entries(keys).filter(([, key]) => typeof key === 'string')) as StoredKeys;
  } catch (error) {
    throw broken(error);
  }
}

/** Stores a key, or with undefined takes it away. The file goes with the last one. */
export async function changeStoredKey(places: Places, provider: string, key: string | undefined): Promise<void> {
  const path = keysFile(places);
  await withFileLock(path, async () => {
    const { [provider]: _, ...others } = await readStoredKeys(places);
    const keys = key === undefined ? others : { ...others, [provider]: key };
    if (Object.keys(keys).length === 0) return rm(path, { force: true });
    const temporary = `${path}.${process.pid}.tmp`;
    await writeFile(temporary, `${JSON.stringify(keys, null, 2)}\n`, { mode: 0o600 });
    await rename(temporary, path);
  });
}

/** The environment in which our own agent looks for models: a variable that is set goes before a stored key. */
export async function withStoredKeys(env: Environment, places: Pick<Places, 'config'>): Promise<Environment> {
  if (!existsSync(keysFile(places))) return env;
  const [keys, { KEY_PROVIDERS }] = await Promise.all([readStoredKeys(places), import('@parley/models/discovery')]);
  const added = KEY_PROVIDERS.flatMap(({ provider, variables }) => {
    const key = keys[provider];
    const [first] = variables;
    return key === undefined || first === undefined || isSet(variables, env) ? [] : [[first, key] as const];
  });
  return { ...env, ...Object.fromEntries(added) };
}

/** Whether the environment has a key of its own. */
export function isSet(variables: KeyProvider['variables'], env: Environment): boolean {
  return variables.some((name) => env[name]);
}
