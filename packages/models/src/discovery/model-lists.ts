import type { Endpoint } from './endpoint.ts';
import { type ListOptions, listModels } from './list-models.ts';
import type { ListedModel } from './listed-models.ts';

/** A list that a server gave, and when. */
export interface KeptList {
  readonly at: number;
  readonly models: readonly ListedModel[];
}

/** Keeps the lists of servers between processes. Neither may throw: without it every process asks anew. */
export interface ListCache {
  read(): Promise<Readonly<Record<string, KeptList>>>;
  write(lists: Readonly<Record<string, KeptList>>): Promise<void>;
}

/** How long a list counts before its server is asked again. */
export const LIST_FRESH_MS: number = 24 * 60 * 60 * 1000;

/** `kept`: only servers of which nothing is known are asked; `stale`: also those whose list is old; `ask`: all. */
export type ListMode = 'kept' | 'stale' | 'ask';

export interface GetListsOptions extends ListOptions {
  readonly mode: ListMode;
  readonly cache?: ListCache | undefined;
  readonly now: number;
}

export interface ServerList {
  readonly endpoint: Endpoint;
  readonly models: readonly ListedModel[];
  /** Undefined when nobody has ever answered. */
  readonly at: number | undefined;
  /** It was asked now, and gave nothing. */
  readonly isSilent: boolean;
}

/** The lists of servers: from the cache where that is enough, else asked, all at once. */
export async function getLists(
  endpoints: readonly Endpoint[],
  { mode, cache, now, ...options }: GetListsOptions,
): Promise<readonly ServerList[]> {
  const asked = endpoints.filter(({ lists }) => lists);
  if (asked.length === 0) return [];
  const kept = (await cache?.read()) ?? {};
  const fresh: Record<string, KeptList> = {};
  const lists = await Promise.all(
    asked.map(async (endpoint): Promise<ServerList> => {
      const key = keyOf(endpoint);
      const known = kept[key];
      const isKnown = known !== undefined || (endpoint.models ?? []).length > 0;
      const isOld = known === undefined || now - known.at > LIST_FRESH_MS;
      if (mode !== 'ask' && isKnown && !(mode === 'stale' && isOld)) {
        return { endpoint, models: known?.models ?? [], at: known?.at, isSilent: false };
      }
      const models = await listModels(endpoint, options);
      if (models.length === 0) {
        return { endpoint, models: known?.models ?? [], at: known?.at, isSilent: true };
      }
      fresh[key] = { at: now, models };
      return { endpoint, models, at: now, isSilent: false };
    }),
  );
  if (Object.keys(fresh).length > 0) await cache?.write({ ...kept, ...fresh });
  return lists;
}

/** Whose list it is. Addresses may hold secrets behind the path. */
function keyOf({ provider, baseUrl }: Endpoint): string {
  const url = URL.canParse(baseUrl) ? new URL(baseUrl) : undefined;
  return `${provider} ${url ? url.origin + url.pathname : ''}`;
}
