import type { RequestContext } from '@parley/jsonrpc';
import type { AgentRequests } from '@parley/protocol/unstable';
import { checked } from '../../service/checked.ts';
import type { PeerService } from '../peer-service.ts';
import { readSetup, requireDirectory } from '../read-setup.ts';
import { unstableMethods } from '../unstable-methods.ts';
import { welcomeLater } from '../welcome.ts';
import { readParams } from './checks.ts';
import { toSettings } from './serve-client.ts';

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

/** Adds what version 1 does not promise to keep, for agents that ask for it. */
export function serveUnstable(service: PeerService): void {
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

function handlersOf(service: PeerService): Handlers {
  const { definition, client } = service;
  return {
    'session/fork': async (params, { signal }) => {
      // A fork is set up as a resumed session is; what only the unstable schema knows of it is not served.
      const setup = readSetup(definition, readParams(definition, 'session/resume', params));
      const session = await client.forkSession(params.sessionId, { ...setup, meta: params._meta ?? undefined, signal });
      welcomeLater(session, client, true);
      return { sessionId: session.id, ...toSettings(definition, session, client) };
    },
    'session/status': async ({ sessionId }) => ({ status: await client.sessionStatus(sessionId) }),
    ...unstableMethods(service),
  };
}
