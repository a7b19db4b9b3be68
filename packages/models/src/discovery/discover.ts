import { proxiedFetch } from '../http/proxied-fetch.ts';
import { findKnownModel } from './catalog.ts';
import type { Environment } from './configured-endpoints.ts';
import { type Discovery, describeDiscovery } from './discovery.ts';
import type { Endpoint } from './endpoint.ts';
import { listModels } from './list-models.ts';
import type { ListedModel } from './listed-models.ts';
import { getLists, LIST_FRESH_MS, type ListCache, type ListMode, type ServerList } from './model-lists.ts';
import { type ModelOffer, offerModel } from './offer.ts';
import { LOCAL_SERVERS, type LocalServer } from './providers.ts';
import { type ModelSources, sourceModels } from './source-models.ts';

export interface DiscoverOptions extends ModelSources {
  readonly signal?: AbortSignal;
  /** How long a server on this machine may take. Default: 300 ms. */
  readonly probeTimeoutMs?: number;
  /** How long a provider may take to list its models. Default: 3 s. */
  readonly listTimeoutMs?: number;
  /** Default: the usual ports of Ollama, llama.cpp, LM Studio and vLLM on 127.0.0.1. */
  readonly localServers?: readonly LocalServer[];
  /** Who is asked for its models, where some are known already. Default: `ask`, everybody. */
  readonly lists?: ListMode;
  /** Where lists are kept between processes. Default: nowhere. */
  readonly cache?: ListCache;
  readonly now?: () => number;
}

/** Finds the models that are within reach: described, named by the environment, running on this machine, or built in. */
export async function discoverModels(options: DiscoverOptions): Promise<Discovery & { readonly isStale: boolean }> {
  const {
    env,
    fetch = proxiedFetch(env),
    signal,
    probeTimeoutMs = 300,
    listTimeoutMs = 3_000,
    localServers = LOCAL_SERVERS,
  } = options;
  const { lists: mode = 'ask', cache, now = Date.now } = options;
  const { endpoints, offers, unlisted, problems } = sourceModels(options);
  const configured = new Set(endpoints.map(({ provider }) => provider));
  const probed = localServers
    .filter(({ provider }) => !configured.has(provider))
    .map((server) => localEndpoint(server, env, fetch));
  const [lists, local] = await Promise.all([
    getLists(endpoints, { mode, cache, now: now(), timeoutMs: listTimeoutMs, signal }),
    Promise.all(
      probed.map(async (endpoint) => {
        const models = await listModels(endpoint, { timeoutMs: probeTimeoutMs, signal });
        return { endpoint, models, at: now(), isSilent: models.length === 0 };
      }),
    ),
  ]);
  signal?.throwIfAborted();
  const listOf = new Map(lists.map((list) => [list.endpoint.provider, list]));
  const named = endpoints.flatMap((endpoint) =>
    mergeList(endpoint, offers, listOf.get(endpoint.provider)?.models ?? []),
  );
  const silent = unlisted.filter(({ provider }) => (listOf.get(provider)?.models ?? []).length === 0);
  const found = local.filter(({ models }) => models.length > 0);
  const discovery = describeDiscovery(
    options,
    [...named, ...found.flatMap(({ endpoint, models }) => models.map((each) => offerListed(endpoint, each)))],
    {
      silent,
      problems,
      providers: [
        ...endpoints.map((endpoint) => describeProvider(endpoint, listOf.get(endpoint.provider))),
        ...found.map((list) => describeProvider(list.endpoint, list)),
      ],
    },
  );
  const isStale = lists.some(({ at, isSilent }) => !isSilent && (at === undefined || now() - at > LIST_FRESH_MS));
  return { ...discovery, isStale };
}

/** What is known of a provider's models, with what its list says of them, and then those that only the list has. */
function mergeList(
  endpoint: Endpoint,
  offers: readonly ModelOffer[],
  listed: readonly ListedModel[],
): readonly ModelOffer[] {
  const { provider } = endpoint;
  const own = offers.filter((offer) => offer.provider === provider);
  const taken = new Set<string>();
  const merged = own.map((offer) => {
    const model = offer.id.slice(provider.length + 1);
    // A list may have only dated names of a model that the catalog knows.
    const entry =
      listed.find((each) => each.model === model) ??
      listed.find((each) => findKnownModel(provider, each.model)?.model === model);
    if (!entry) return offer;
    taken.add(entry.model);
    return offerModel(endpoint, model, entry);
  });
  const fresh = listed.filter(({ model }) => !taken.has(model) && !own.some(({ id }) => id === `${provider}/${model}`));
  return [...merged, ...fresh.map((each) => offerListed(endpoint, each))];
}

function offerListed(endpoint: Endpoint, { model, ...facts }: ListedModel): ModelOffer {
  return offerModel(endpoint, model, facts);
}

function describeProvider({ provider, label, baseUrl }: Endpoint, list: ServerList | undefined) {
  return {
    provider,
    label,
    baseUrl,
    listedAt: list?.at,
    isSilent: list?.isSilent ?? false,
    listed: list?.models.map(({ model }) => model) ?? [],
  };
}

/** `OLLAMA_HOST` is Ollama's own variable, with or without a scheme; its own list has more than the compatible one. */
function localEndpoint(
  { provider, label, baseUrl }: LocalServer,
  env: Environment,
  fetch: DiscoverOptions['fetch'],
): Endpoint {
  const given = fetch ? { fetch } : {};
  const server = { provider, label, wire: 'openai-chat', origin: 'local', lists: true, ...given } as const;
  if (provider !== 'ollama') return { ...server, baseUrl };
  const { OLLAMA_HOST: host } = env;
  const address = host
    ? withPort(`${/^https?:/.test(host) ? host : `http://${host}`}`.replace(/\/+$/, ''))
    : baseUrl.replace(/\/v1$/, '');
  return { ...server, baseUrl: `${address}/v1`, listUrl: `${address}/api/tags`, addressFrom: 'OLLAMA_HOST' };
}

/** Ollama binds to 0.0.0.0 when told so, which is no address to dial, and defaults to its own port. */
function withPort(address: string): string {
  if (!URL.canParse(address)) return address;
  const url = new URL(address);
  if (url.hostname === '0.0.0.0') url.hostname = '127.0.0.1';
  if (url.port === '' && url.protocol === 'http:') url.port = '11434';
  return url.origin;
}
