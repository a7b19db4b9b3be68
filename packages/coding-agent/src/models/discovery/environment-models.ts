import type { Fetch } from '../http/http-answer.ts';
import { isWireFormatName } from '../wire-formats.ts';
import { KNOWN_MODELS } from './catalog.ts';
import type { Endpoint } from './endpoint.ts';
import { type ModelOffer, offerModel } from './offer.ts';
import { LOCAL_SERVERS, PROVIDERS, type Provider } from './providers.ts';

/** The environment, injected; `process.env` fits. */
export type Environment = Readonly<Record<string, string | undefined>>;

export interface EnvironmentModels {
  /** Who is reached by the environment, in the order of preference. */
  readonly providers: readonly string[];
  /** Models whose names are known without asking anyone. */
  readonly offers: readonly ModelOffer[];
  /** Servers that have to be asked which models they hold. */
  readonly unlisted: readonly Endpoint[];
}

/** The provider of `PARLEY_BASE_URL`. */
const OWN_PROVIDER = 'custom';

/** The models that the environment's keys and addresses give access to, without touching the network. */
export function environmentModels(env: Environment, fetch?: Fetch): EnvironmentModels {
  const endpoints = endpointsFrom(env).map((endpoint) => (fetch === undefined ? endpoint : { ...endpoint, fetch }));
  const home = homeOf(env.PARLEY_MODEL, endpoints);
  const offers = endpoints.flatMap((endpoint) =>
    listOffers(endpoint, home?.endpoint === endpoint ? home.model : undefined),
  );
  const unlisted = endpoints.filter(({ provider }) => !offers.some((offer) => offer.provider === provider));
  return { providers: endpoints.map(({ provider }) => provider), offers, unlisted };
}

/** In the order of preference: what a person set for Parley comes before what is there for other programs. */
function endpointsFrom(env: Environment): readonly Endpoint[] {
  return [ownEndpoint(env), ...PROVIDERS.map((provider) => endpointOf(provider, env))].filter(
    (endpoint) => endpoint !== undefined,
  );
}

/** The server that a person set for Parley alone. */
function ownEndpoint(env: Environment): Endpoint | undefined {
  const { PARLEY_BASE_URL: baseUrl, PARLEY_API_KEY: apiKey, PARLEY_WIRE: wire = '' } = env;
  if (!baseUrl) return undefined;
  return {
    provider: OWN_PROVIDER,
    label: baseUrl,
    wire: isWireFormatName(wire) ? wire : 'openai-chat',
    baseUrl,
    ...(apiKey && { apiKey }),
    origin: 'environment',
  };
}

function endpointOf(row: Provider, env: Environment): Endpoint | undefined {
  const { provider, label, wire, dialect, moreModels = [], otherServers } = row;
  const address = env[row.address];
  const apiKey = row.keys.map((name) => env[name]).find(Boolean);
  const key = apiKey ? { apiKey } : {};
  if (address && otherServers && hostOf(address) !== otherServers.unlessHost) {
    const { wire: theirs } = otherServers;
    return { provider, label: address, wire: theirs, baseUrl: address, ...key, origin: 'environment' };
  }
  if (!apiKey) return undefined;
  const known = KNOWN_MODELS.filter((each) => each.provider === provider).map(({ model }) => model);
  return {
    provider,
    label,
    wire,
    ...(dialect && { dialect }),
    baseUrl: address || row.baseUrl,
    ...key,
    origin: 'environment',
    models: [...known, ...moreModels],
  };
}

function listOffers(endpoint: Endpoint, wanted: string | undefined): readonly ModelOffer[] {
  const { models = [] } = endpoint;
  const all = wanted === undefined || models.includes(wanted) ? models : [wanted, ...models];
  return all.map((model) => offerModel(endpoint, model));
}

interface NamedModel {
  readonly endpoint: Endpoint;
  /** As the endpoint knows it. */
  readonly model: string;
}

/**
 * Where the model of `PARLEY_MODEL` is: at the provider that it names; a bare name at an address of one's own, else at
 * the provider whose models have such names, else at the only one there is. Servers that list their models may have it, too.
 */
function homeOf(wanted: string | undefined, endpoints: readonly Endpoint[]): NamedModel | undefined {
  if (!wanted || wanted === 'offline') return undefined;
  const named = endpoints.find(({ provider }) => wanted.startsWith(`${provider}/`));
  if (named) return { endpoint: named, model: wanted.slice(named.provider.length + 1) };
  const own = endpoints.find(({ provider }) => provider === OWN_PROVIDER);
  const family = PROVIDERS.find(({ modelNames }) => modelNames?.test(wanted))?.provider;
  const related = endpoints.find(({ provider }) => provider === family);
  const known = KNOWN_MODELS.find(({ model }) => model === wanted)?.provider;
  const only = endpoints.length === 1 && family === undefined && known === undefined ? endpoints[0] : undefined;
  const endpoint = own ?? related ?? (namesProvider(wanted) ? undefined : only);
  return endpoint && { endpoint, model: wanted };
}

/** `ollama/qwen3` means a server that is not among those of the environment. */
function namesProvider(wanted: string): boolean {
  const names = [OWN_PROVIDER, ...[...PROVIDERS, ...LOCAL_SERVERS].map(({ provider }) => provider)];
  return names.some((name) => wanted.startsWith(`${name}/`));
}

function hostOf(address: string): string | undefined {
  return URL.canParse(address) ? new URL(address).hostname : undefined;
}
