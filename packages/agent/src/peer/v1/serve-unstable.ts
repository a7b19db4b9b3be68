import { type RequestContext, RpcError } from '@parley/jsonrpc';
import type { AgentRequests } from '@parley/protocol/unstable';
import { checked } from '../../serve/checked.ts';
import type { ProviderContext, ProviderHandlers } from '../../serve/providers.ts';
import { readParams, readSetup, requireDirectory } from './checks.ts';
import { toSettings, type V1Service, welcomeLater } from './serve-client.ts';

type UnstableMethod =
  | 'session/fork'
  | 'session/archive'
  | 'session/unarchive'
  | 'session/status'
  | 'session/set_title'
  | 'auth/status'
  | 'providers/list'
  | 'providers/set'
  | 'providers/disable';

type Handlers = {
  readonly [Method in UnstableMethod]?: (
    params: AgentRequests[Method]['params'],
    context: RequestContext,
  ) => Promise<AgentRequests[Method]['result']>;
};

const MAX_TITLE_CHARACTERS = 200;

/** Adds what version 1 does not promise to keep, for agents that ask for it. */
export function serveUnstable(service: V1Service): void {
  const { requests, notifications, authentication, hearMcp } = service;
  notifications.set('mcp/message', [(params) => hearMcp(params)]);
  for (const [method, handler] of Object.entries(handlersOf(service))) {
    requests.set(method, async (context) => {
      // The schema is large, and most clients never ask for any of this.
      const { v1Unstable } = await import('@parley/protocol/unstable');
      const params = checked(() => v1Unstable.parseParams(method as UnstableMethod, context.params));
      if (method.startsWith('session/')) await authentication.require();
      await requireDirectory(service.definition, method, params);
      return (handler as (params: unknown, context: RequestContext) => unknown)(params, context);
    });
  }
}

function handlersOf({ definition, client, authentication }: V1Service): Handlers {
  return {
    'session/fork': async (params, { signal }) => {
      // A fork is set up as a resumed session is; what only the unstable schema knows of it is not served.
      const setup = readSetup(definition, readParams(definition, 'session/resume', params));
      const session = await client.forkSession(params.sessionId, { ...setup, meta: params._meta ?? undefined, signal });
      welcomeLater(session, client);
      return { sessionId: session.id, ...toSettings(definition, session, client) };
    },
    'session/archive': async ({ sessionId }) => {
      await client.archiveSession(sessionId, true);
      return {};
    },
    'session/unarchive': async ({ sessionId }) => {
      await client.archiveSession(sessionId, false);
      return {};
    },
    'session/status': async ({ sessionId }) => ({ status: await client.sessionStatus(sessionId) }),
    'session/set_title': async ({ sessionId, title: wanted }) => {
      const title = wanted.trim().replaceAll(/\s+/g, ' ').slice(0, MAX_TITLE_CHARACTERS);
      if (title === '') throw RpcError.invalidParams('title: expected a text that is not empty');
      await client.setTitle(sessionId, title);
      return { title };
    },
    'auth/status': async () => ({ state: await authentication.status() }),
    ...(definition.providers && providerHandlers(definition.providers, { principal: client.principal })),
  };
}

function providerHandlers(providers: ProviderHandlers, context: ProviderContext): Handlers {
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
