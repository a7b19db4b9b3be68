import { KNOWN_MODELS } from './catalog.ts';
import type { Endpoint } from './endpoint.ts';
import { factsOfSettings } from './model-facts.ts';
import { type ProviderSettings, type ProvidersSettings, WIRE_WORDS } from './provider-settings.ts';
import { LOCAL_SERVERS, PROVIDERS, type Provider } from './providers.ts';
import { isWireFormatName, type WireFormatName } from './wire-formats.ts';

/** The environment, injected; `process.env` fits. */
export type Environment = Readonly<Record<string, string | undefined>>;

/** The provider of `PARLEY_BASE_URL`. */
export const OWN_PROVIDER = 'custom';

export interface ConfiguredEndpoints {
  /** In the order of preference: what a person set for Parley comes before what is there for other programs. */
  readonly endpoints: readonly Endpoint[];
  /** Providers of the settings that cannot be used, and why. */
  readonly problems: readonly string[];
}

/** The servers that settings and environment lead to. */
export function configuredEndpoints(env: Environment, providers: ProvidersSettings = {}): ConfiguredEndpoints {
  const described = Object.entries(providers).map(([name, settings]) => endpointOfSettings(name, settings, env));
  const own = ownEndpoint(env);
  const byKey = PROVIDERS.filter(({ provider }) => !Object.hasOwn(providers, provider)).map((row) =>
    endpointOf(row, env),
  );
  return {
    endpoints: [
      ...(own ? [own] : []),
      ...described.filter((each) => typeof each !== 'string'),
      ...byKey.filter((each) => each !== undefined),
    ],
    problems: described.filter((each) => typeof each === 'string'),
  };
}

/** The wire format that a word stands for; undefined for a word that stands for none. */
export function wireOf(word: string): WireFormatName | undefined {
  return isWireFormatName(word) ? word : Object.hasOwn(WIRE_WORDS, word) ? WIRE_WORDS[word] : undefined;
}

/** The server that a person set for Parley alone. */
function ownEndpoint(env: Environment): Endpoint | undefined {
  const { PARLEY_BASE_URL: baseUrl, PARLEY_API_KEY: apiKey, PARLEY_WIRE: wire = '' } = env;
  if (!baseUrl) return undefined;
  return {
    provider: OWN_PROVIDER,
    label: baseUrl,
    wire: wireOf(wire) ?? 'openai-chat',
    baseUrl,
    ...(apiKey && { apiKey }),
    origin: 'environment',
    addressFrom: 'PARLEY_BASE_URL',
    lists: true,
  };
}

function endpointOf(row: Provider, env: Environment): Endpoint | undefined {
  const { provider, label, wire, otherServers } = row;
  const address = env[row.address];
  const access = accessOf(row, env);
  if (address && otherServers && hostOf(address) !== otherServers.unlessHost) {
    return {
      provider,
      label: address,
      wire: otherServers.wire,
      baseUrl: address,
      ...access,
      origin: 'environment',
      addressFrom: row.address,
      lists: true,
    };
  }
  const baseUrl = address ? withPath(address, row.path) : row.baseUrl;
  if (!access || !baseUrl) return undefined;
  return {
    ...factsOfRow(row),
    provider,
    label,
    wire,
    baseUrl,
    ...access,
    ...queryOf(row, env),
    origin: 'environment',
    ...(address && { addressFrom: row.address }),
  };
}

function endpointOfSettings(name: string, settings: ProviderSettings, env: Environment): Endpoint | string {
  const row: Partial<Provider> = PROVIDERS.find(({ provider }) => provider === name) ?? {};
  const local = LOCAL_SERVERS.find(({ provider }) => provider === name);
  const { models = {}, keyEnv, keyHeader = row.keyHeader } = settings;
  const word = settings.wire;
  const wire = word === undefined ? (row.wire ?? 'openai-chat') : wireOf(word);
  if (!wire)
    return `The provider "${name}" has the wire "${word}", which is none; use anthropic, openai, responses or gemini.`;
  const address = env[row.address ?? ''];
  const baseUrl = settings.baseUrl ?? (address ? withPath(address, row.path) : (row.baseUrl ?? local?.baseUrl));
  if (!baseUrl || !URL.canParse(baseUrl)) return `The provider "${name}" needs a baseUrl in the settings.`;
  const given = settings.apiKey ?? (keyEnv === undefined ? undefined : env[keyEnv]);
  if (keyEnv !== undefined && !given) return `The provider "${name}" has its key in ${keyEnv}, which is not set.`;
  const access = given ? keyFields(given, keyHeader) : accessOf(row, env);
  // Settings say what it is; without a key only a server of one's own is used.
  if (!access && row.keys && settings.baseUrl === undefined && !address) {
    return `The provider "${name}" has no key; set ${row.keys[0]}.`;
  }
  const isDescribed = Object.keys(models).length > 0;
  return {
    ...factsOfRow(row),
    provider: name,
    label: settings.title ?? row.label ?? local?.label ?? name,
    wire,
    baseUrl,
    ...access,
    ...(settings.headers && { headers: { ...access?.headers, ...fillIn(settings.headers, env) } }),
    ...(settings.query ? { query: settings.query } : queryOf(row, env)),
    origin: 'settings',
    addressFrom: settings.baseUrl === undefined && address ? (row.address ?? '') : `providers.${name}.baseUrl`,
    ...(isDescribed && {
      models: Object.keys(models),
      described: Object.fromEntries(Object.entries(models).map(([model, each]) => [model, factsOfSettings(each)])),
    }),
    lists: settings.lists ?? (!isDescribed && row.lists !== false),
  };
}

/** `${NAME}` stands for a variable, as in `.mcp.json`, so that secrets need not be written down. */
function fillIn(texts: Readonly<Record<string, string>>, env: Environment): Record<string, string> {
  return Object.fromEntries(
    Object.entries(texts).map(([name, text]) => [
      name.toLowerCase(),
      text.replace(/\$\{(\w+)\}/g, (_, variable: string) => env[variable] ?? ''),
    ]),
  );
}

type RowFacts = Pick<Endpoint, 'dialect' | 'usual' | 'lists'> & { readonly models?: readonly string[] };

function factsOfRow({ provider, dialect, usual, moreModels = [], lists = true }: Partial<Provider>): RowFacts {
  const known = KNOWN_MODELS.filter((each) => each.provider === provider).map(({ model }) => model);
  const models = [...known, ...moreModels];
  return {
    ...(dialect && { dialect }),
    ...(usual && { usual }),
    ...(models.length > 0 && { models }),
    lists,
  };
}

type Access = Pick<Endpoint, 'apiKey' | 'headers'>;

/** A key or a token of the environment. */
function accessOf({ keys = [], tokens = [], keyHeader }: Partial<Provider>, env: Environment): Access | undefined {
  const key = keys.map((name) => env[name]).find(Boolean);
  if (key) return keyFields(key, keyHeader);
  const token = tokens.map((name) => env[name]).find(Boolean);
  return token ? keyFields(token, 'authorization') : undefined;
}

function keyFields(key: string, header: string | undefined): Access {
  if (header === undefined) return { apiKey: key };
  return { headers: { [header.toLowerCase()]: header.toLowerCase() === 'authorization' ? `Bearer ${key}` : key } };
}

function queryOf({ query = {} }: Partial<Provider>, env: Environment): Pick<Endpoint, 'query'> {
  const set = Object.entries(query).flatMap(([name, variable]) => (env[variable] ? [[name, env[variable]]] : []));
  return set.length > 0 ? { query: Object.fromEntries(set) as Record<string, string> } : {};
}

function withPath(address: string, path: string | undefined): string {
  if (path === undefined || !URL.canParse(address) || new URL(address).pathname !== '/') return address;
  return address.replace(/\/+$/, '') + path;
}

function hostOf(address: string): string | undefined {
  return URL.canParse(address) ? new URL(address).hostname : undefined;
}
