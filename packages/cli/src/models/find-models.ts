import { join } from 'node:path';
import { type Discovery, discoverModels, fileListCache } from '@parley/models';
import { type LoadedConfig, loadConfig } from '../config/load-config.ts';
import type { CliContext } from '../context.ts';
import { readProviders } from './read-providers.ts';
import { withStoredKeys } from './stored-keys.ts';

/** How long a provider may take to list its models, where somebody waits for the list. */
const LIST_TIMEOUT_MS = 10_000;

export interface FindModelsOptions {
  /** Ask every provider, whatever is known. Default: only for lists that are older than a day. */
  readonly refresh?: boolean;
  /** Ask nobody, and look for nothing on this machine. */
  readonly offline?: boolean;
}

export interface FoundModels extends Discovery {
  readonly loaded: LoadedConfig;
}

/** The models that our own agent could use here. */
export async function findModels(
  { refresh = false, offline = false }: FindModelsOptions,
  context: CliContext,
): Promise<FoundModels> {
  const loaded = await loadConfig(context);
  const { config, places } = loaded;
  const discovery = await discoverModels({
    env: await withStoredKeys(context.env, places),
    ...(config.providers && { providers: await readProviders(config.providers, places, context.env) }),
    ...(config.model !== undefined && { model: config.model }),
    cache: fileListCache(join(places.state, 'models.json')),
    lists: refresh ? 'ask' : 'stale',
    listTimeoutMs: LIST_TIMEOUT_MS,
    ...(offline && { localServers: [], fetch: () => Promise.reject(new TypeError('offline')) }),
  });
  return { ...discovery, loaded };
}
