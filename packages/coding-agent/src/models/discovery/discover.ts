import type { Fetch } from '../http/http-answer.ts';
import { type Discovery, describeDiscovery } from './discovery.ts';
import type { Endpoint } from './endpoint.ts';
import { type Environment, environmentModels } from './environment-models.ts';
import { listModels } from './list-models.ts';
import { LOCAL_SERVERS, type LocalServer } from './providers.ts';

export interface DiscoverOptions {
  readonly env: Environment;
  readonly fetch?: Fetch;
  readonly signal?: AbortSignal;
  /** How long a server on this machine may take. Default: 300 ms. */
  readonly probeTimeoutMs?: number;
  /** How long a server that the environment names may take to list its models. Default: 3 s. */
  readonly listTimeoutMs?: number;
  /** Default: the usual ports of Ollama, llama.cpp, LM Studio and vLLM on 127.0.0.1. */
  readonly localServers?: readonly LocalServer[];
}

/** Finds the models that are within reach: named by the environment, running on this machine, or built in. */
export async function discoverModels(options: DiscoverOptions): Promise<Discovery> {
  const { env, fetch, signal, probeTimeoutMs = 300, listTimeoutMs = 3_000, localServers = LOCAL_SERVERS } = options;
  const { providers, offers, unlisted } = environmentModels(env, fetch);
  const probed = localServers.map((server) => localEndpoint(server, env, fetch));
  const [listed, local] = await Promise.all([
    Promise.all(unlisted.map((endpoint) => listModels(endpoint, { timeoutMs: listTimeoutMs, signal }))),
    Promise.all(probed.map((endpoint) => listModels(endpoint, { timeoutMs: probeTimeoutMs, signal }))),
  ]);
  signal?.throwIfAborted();
  const silent = unlisted.filter((_, index) => listed[index]?.length === 0);
  const named = [...offers, ...listed.flat()];
  const ordered = providers.flatMap((provider) => named.filter((offer) => offer.provider === provider));
  return describeDiscovery(env, [...ordered, ...local.flat()], silent);
}

/** `OLLAMA_HOST` is Ollama's own variable, with or without a scheme; its own list has more than the compatible one. */
function localEndpoint(
  { provider, label, baseUrl }: LocalServer,
  env: Environment,
  fetch: Fetch | undefined,
): Endpoint {
  const given = fetch ? { fetch } : {};
  const server = { provider, label, wire: 'openai-chat', origin: 'local', ...given } as const;
  if (provider !== 'ollama') return { ...server, baseUrl };
  const { OLLAMA_HOST: host } = env;
  const address = host
    ? withPort(`${/^https?:/.test(host) ? host : `http://${host}`}`.replace(/\/+$/, ''))
    : baseUrl.replace(/\/v1$/, '');
  return { ...server, baseUrl: `${address}/v1`, listUrl: `${address}/api/tags` };
}

/** Ollama binds to 0.0.0.0 when told so, which is no address to dial, and defaults to its own port. */
function withPort(address: string): string {
  if (!URL.canParse(address)) return address;
  const url = new URL(address);
  if (url.hostname === '0.0.0.0') url.hostname = '127.0.0.1';
  if (url.port === '' && url.protocol === 'http:') url.port = '11434';
  return url.origin;
}
