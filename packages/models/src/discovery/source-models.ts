import type { Fetch } from '../http/http-answer.ts';
import { proxiedFetch } from '../http/proxied-fetch.ts';
import { KNOWN_MODELS } from './catalog.ts';
import { configuredEndpoints, type Environment, OWN_PROVIDER } from './configured-endpoints.ts';
import type { Endpoint } from './endpoint.ts';
import { findOffer } from './find-offer.ts';
import { type ModelOffer, offerModel } from './offer.ts';
import type { ProvidersSettings } from './provider-settings.ts';
import { LOCAL_SERVERS, PROVIDERS } from './providers.ts';

/** Where models are looked for. */
export interface ModelSources {
  readonly env: Environment;
  /** Providers that the person describes, by name. */
  readonly providers?: ProvidersSettings | undefined;
  /** The model that the person wants, before `PARLEY_MODEL`, where it is within reach. */
  readonly model?: string | undefined;
  readonly fetch?: Fetch | undefined;
}

export interface SourceModels {
  /** Who is reached, in the order of preference. */
  readonly endpoints: readonly Endpoint[];
  /** Models whose names are known without asking anyone. */
  readonly offers: readonly ModelOffer[];
  /** Servers that have to be asked which models they hold. */
  readonly unlisted: readonly Endpoint[];
  readonly problems: readonly string[];
}

/** The models that settings, keys and addresses give access to, without touching the network. */
export function sourceModels({ env, providers, model, fetch = proxiedFetch(env) }: ModelSources): SourceModels {
  const { endpoints: found, problems } = configuredEndpoints(env, providers);
  const endpoints = found.map((endpoint) => (fetch === undefined ? endpoint : { ...endpoint, fetch }));
  const known = endpoints.flatMap((endpoint) => (endpoint.models ?? []).map((each) => offerModel(endpoint, each)));
  const wanted = [
    // A setting may be meant for another agent, so that it must name where it is to be found.
    model?.includes('/') ? homeOf(model, endpoints, known) : undefined,
    homeOf(env.PARLEY_MODEL, endpoints, known),
  ].filter((each) => each !== undefined);
  const offers = endpoints.flatMap((endpoint) => {
    const models = endpoint.models ?? [];
    const more = wanted.flatMap((each) => (each.endpoint === endpoint ? [each.model] : []));
    return [...new Set([...more.filter((each) => !models.includes(each)), ...models])].map((each) =>
      offerModel(endpoint, each),
    );
  });
  const unlisted = endpoints.filter(
    ({ provider, lists }) => lists && !offers.some((offer) => offer.provider === provider),
  );
  return { endpoints, offers, unlisted, problems };
}

interface NamedModel {
  readonly endpoint: Endpoint;
  /** As the endpoint knows it. */
  readonly model: string;
}

/**
 * Where the model of `PARLEY_MODEL` is: at the provider that it names; a bare name at an address of one's own, else at
 * the provider whose models have such names, else at the only one there is. Undefined where it is a part of a name that
 * is known, and where only a server that lists its models can have it.
 */
function homeOf(
  wanted: string | undefined,
  endpoints: readonly Endpoint[],
  known: readonly ModelOffer[],
): NamedModel | undefined {
  if (!wanted || wanted === 'offline') return undefined;
  const named = endpoints.find(({ provider }) => wanted.startsWith(`${provider}/`));
  if (named && findOffer(known, wanted).kind !== 'one') {
    return { endpoint: named, model: wanted.slice(named.provider.length + 1) };
  }
  const own = endpoints.find(({ provider }) => provider === OWN_PROVIDER);
  if (named || (!own && findOffer(known, wanted).kind === 'one')) return undefined;
  const family = PROVIDERS.find(({ modelNames }) => modelNames?.test(wanted))?.provider;
  const related = endpoints.find(({ provider }) => provider === family);
  const cataloged = KNOWN_MODELS.find(({ model }) => model === wanted)?.provider;
  const only = endpoints.length === 1 && family === undefined && cataloged === undefined ? endpoints[0] : undefined;
  const endpoint = own ?? related ?? (namesProvider(wanted) ? undefined : only);
  return endpoint && { endpoint, model: wanted };
}

/** `ollama/qwen3` means a server that is not among those of the environment. */
function namesProvider(wanted: string): boolean {
  const names = [OWN_PROVIDER, ...[...PROVIDERS, ...LOCAL_SERVERS].map(({ provider }) => provider)];
  return names.some((name) => wanted.startsWith(`${name}/`));
}
