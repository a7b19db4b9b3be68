import type { Fetch } from '../http/http-answer.ts';
import { KNOWN_MODELS } from './catalog.ts';
import { type Endpoint, type ModelOffer, offerModel, type WireFormat } from './offer.ts';

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

const WIRES: readonly WireFormat[] = ['anthropic', 'gemini', 'openai-chat', 'openai-responses'];

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
  const endpoints: Endpoint[] = [];
  const origin = 'environment';
  const own = env.PARLEY_BASE_URL;
  if (own) {
    const wire = WIRES.find((name) => name === env.PARLEY_WIRE) ?? 'openai-chat';
    endpoints.push({ provider: 'custom', label: own, wire, baseUrl: own, ...keyed(env.PARLEY_API_KEY), origin });
  }
  if (env.ANTHROPIC_API_KEY) {
    const baseUrl = env.ANTHROPIC_BASE_URL || 'https://api.anthropic.com';
    const key = keyed(env.ANTHROPIC_API_KEY);
    endpoints.push({ provider: 'anthropic', label: 'Anthropic', wire: 'anthropic', baseUrl, ...key, origin });
  }
  const openAiUrl = env.OPENAI_BASE_URL;
  if (openAiUrl && !isOpenAi(openAiUrl)) {
    const key = keyed(env.OPENAI_API_KEY);
    endpoints.push({ provider: 'openai', label: openAiUrl, wire: 'openai-chat', baseUrl: openAiUrl, ...key, origin });
  } else if (env.OPENAI_API_KEY) {
    const baseUrl = openAiUrl || 'https://api.openai.com/v1';
    const key = keyed(env.OPENAI_API_KEY);
    endpoints.push({ provider: 'openai', label: 'OpenAI', wire: 'openai-responses', baseUrl, ...key, origin });
  }
  const geminiKey = env.GEMINI_API_KEY || env.GOOGLE_API_KEY;
  if (geminiKey) {
    const baseUrl = env.GOOGLE_GEMINI_BASE_URL || 'https://generativelanguage.googleapis.com';
    endpoints.push({ provider: 'gemini', label: 'Google', wire: 'gemini', baseUrl, ...keyed(geminiKey), origin });
  }
  if (env.OPENROUTER_API_KEY) {
    const baseUrl = env.OPENROUTER_BASE_URL || 'https://openrouter.ai/api/v1';
    const key = keyed(env.OPENROUTER_API_KEY);
    endpoints.push({
      provider: 'openrouter',
      label: 'OpenRouter',
      wire: 'openai-chat',
      dialect: 'openrouter',
      baseUrl,
      ...key,
      origin,
    });
  }
  return endpoints;
}

function listOffers(endpoint: Endpoint, wanted: string | undefined): readonly ModelOffer[] {
  const isOriginal = endpoint.wire !== 'openai-chat';
  const names = KNOWN_MODELS.filter(({ provider }) => provider === endpoint.provider && isOriginal).map(
    ({ model }) => model,
  );
  if (endpoint.provider === 'openrouter') names.push('openrouter/auto');
  const all = wanted === undefined || names.includes(wanted) ? names : [wanted, ...names];
  return all.map((model) => offerModel(endpoint, model));
}

/** Whose models have such names. */
const FAMILIES: readonly (readonly [RegExp, provider: string])[] = [
  [/^claude-/, 'anthropic'],
  [/^(gpt-|chatgpt-|codex-|o\d)/, 'openai'],
  [/^gemini-/, 'gemini'],
];

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
  const own = endpoints.find(({ provider }) => provider === 'custom');
  const family = FAMILIES.find(([pattern]) => pattern.test(wanted))?.[1];
  const related = endpoints.find(({ provider }) => provider === family);
  const known = KNOWN_MODELS.find(({ model }) => model === wanted)?.provider;
  const only = endpoints.length === 1 && family === undefined && known === undefined ? endpoints[0] : undefined;
  const endpoint = own ?? related ?? (PROVIDER_PREFIX.test(wanted) ? undefined : only);
  return endpoint && { endpoint, model: wanted };
}

/** `ollama/qwen3` means a server that is not among those of the environment. */
const PROVIDER_PREFIX = /^(anthropic|openai|gemini|openrouter|custom|ollama|llamacpp|lmstudio|vllm)\//;

function keyed(apiKey: string | undefined): { readonly apiKey?: string } {
  return apiKey ? { apiKey } : {};
}

function isOpenAi(baseUrl: string): boolean {
  return URL.canParse(baseUrl) && new URL(baseUrl).hostname === 'api.openai.com';
}
