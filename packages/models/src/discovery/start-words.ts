import { isLoopback } from '../http/loopback.ts';
import type { Endpoint } from './endpoint.ts';
import { LOCAL_SERVERS } from './providers.ts';

/** What a person does when nothing listens at an address of their own machine. */
export function wordWhenDown(endpoint: Endpoint): string {
  const { addressFrom = 'PARLEY_BASE_URL' } = endpoint;
  return `Start ${wordServer(endpoint)}, set another address (${addressFrom}) or choose another model.`;
}

/** Why a server may not have said which models it has. */
export function wordWhenSilent(endpoint: Endpoint): string {
  const start = isLoopback(endpoint.baseUrl) ? `if it does not run, start ${wordServer(endpoint)}; else ` : '';
  return `${start}check the address and the key, or name a model in PARLEY_MODEL.`;
}

/** What to start where a model is wanted of a server that does not run; nothing for other models. */
export function wordMissingServer(model: string): string {
  const server = LOCAL_SERVERS.find(({ provider }) => model.startsWith(`${provider}/`));
  return server ? `: ${server.label} does not answer (\`${server.start}\` starts it)` : '';
}

/** By the name that it has, or by the port that is usual for it. */
function wordServer({ provider, baseUrl }: Pick<Endpoint, 'provider' | 'baseUrl'>): string {
  const named = LOCAL_SERVERS.find((each) => each.provider === provider);
  if (named) return `${named.label} (\`${named.start}\`)`;
  const port = URL.canParse(baseUrl) ? new URL(baseUrl).port : '';
  const usual = LOCAL_SERVERS.find((each) => new URL(each.baseUrl).port === port);
  return `the server there${usual ? ` (if it is ${usual.label}: \`${usual.start}\`)` : ''}`;
}
