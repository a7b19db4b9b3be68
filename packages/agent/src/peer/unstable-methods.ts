import { RpcError } from '@parley/jsonrpc';
import type { ProviderContext, ProviderHandlers } from '../contract/providers.ts';
import type { PeerService } from './peer-service.ts';

interface SessionParams {
  readonly sessionId: string;
}

type AuthState = 'authenticated' | 'unauthenticated' | 'not_required';
type Empty = Record<string, never>;

interface UnstableMethods extends Partial<ProviderMethods> {
  'session/archive': (params: SessionParams) => Promise<Empty>;
  'session/unarchive': (params: SessionParams) => Promise<Empty>;
  'session/set_title': (params: SessionParams & { readonly title: string }) => Promise<{ title: string }>;
  'auth/status': () => Promise<{ state: AuthState }>;
}

const MAX_TITLE_CHARACTERS = 200;

/** What no version promises to keep and every version has. */
export function unstableMethods({ definition, client, authentication }: PeerService): UnstableMethods {
  return {
    'session/archive': async ({ sessionId }) => {
      await client.archiveSession(sessionId, true);
      return {};
    },
    'session/unarchive': async ({ sessionId }) => {
      await client.archiveSession(sessionId, false);
      return {};
    },
    'session/set_title': async ({ sessionId, title: wanted }) => {
      const title = wanted.trim().replaceAll(/\s+/g, ' ').slice(0, MAX_TITLE_CHARACTERS);
      if (title === '') throw RpcError.invalidParams('title: expected a text that is not empty');
      await client.setTitle(sessionId, title);
      return { title };
    },
    'auth/status': async () => ({ state: await authentication.status() }),
    ...(definition.providers && providerMethods(definition.providers, { principal: client.principal })),
  };
}

interface ProviderMethods {
  'providers/list': () => Promise<{ providers: ListedProvider[] }>;
  'providers/set': (params: ProviderParams) => Promise<Empty>;
  'providers/disable': (params: Pick<ProviderParams, 'providerId'>) => Promise<Empty>;
}

interface ListedProvider {
  providerId: string;
  supported: string[];
  required: boolean;
  current: { apiType: string; baseUrl: string } | null;
}

interface ProviderParams {
  readonly providerId: string;
  readonly apiType: string;
  readonly baseUrl: string;
  readonly headers?: Readonly<Record<string, string>> | null;
}

function providerMethods(providers: ProviderHandlers, context: ProviderContext): ProviderMethods {
  const find = async (providerId: string) =>
    (await providers.list(context)).find((provider) => provider.providerId === providerId);
  return {
    'providers/list': async () => ({
      providers: (await providers.list(context)).map((provider) => ({
        ...provider,
        supported: [...provider.supported],
        current: provider.current ? { ...provider.current } : null,
      })),
    }),
    'providers/set': async ({ providerId, apiType, baseUrl, headers }) => {
      const provider = await find(providerId);
      if (!provider) throw RpcError.invalidParams(`providerId: there is no provider "${providerId}"`);
      if (!provider.supported.includes(apiType))
        throw RpcError.invalidParams(`apiType: "${providerId}" supports ${provider.supported.join(', ')}`);
      await providers.set({ providerId, apiType, baseUrl, headers: headers ?? {} }, context);
      return {};
    },
    'providers/disable': async ({ providerId }) => {
      const provider = await find(providerId);
      if (provider?.required) throw RpcError.invalidParams(`providerId: "${providerId}" cannot be disabled`);
      if (provider) await providers.disable(providerId, context);
      return {};
    },
  };
}
