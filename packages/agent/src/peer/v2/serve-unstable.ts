import type { RequestContext } from '@parley/jsonrpc';
import { eventToV2 } from '@parley/session/v2';
import { checked } from '../../service/checked.ts';
import { readSetup, requireDirectory } from '../read-setup.ts';
import { currentState } from '../session-state.ts';
import { unstableMethods } from '../unstable-methods.ts';
import { welcomeLater } from '../welcome.ts';
import { type OpeningParams, readParams } from './checks.ts';
import { toSettings, type V2Service } from './serve-client.ts';

type Unstable = typeof import('@parley/protocol/v2/unstable').v2Unstable;
type Handler = (params: never, context: RequestContext) => Promise<unknown>;

/** Adds what version 2 does not promise to keep, for agents that ask for it. */
export function serveUnstable(service: V2Service): void {
  const { requests, notifications, authentication, definition, hearMcp } = service;
  notifications.set('mcp/message', [(params) => hearMcp(params)]);
  for (const [method, handler] of Object.entries(handlersOf(service))) {
    requests.set(method, async (context) => {
      // The schema is large, and most clients never ask for any of this.
      const { v2Unstable } = await import('@parley/protocol/v2/unstable');
      const params = checked(() => v2Unstable.parseParams(method as keyof Unstable['requests'], context.params));
      if (method.startsWith('session/')) await authentication.require();
      await requireDirectory(definition, method, params);
      return handler(params as never, context);
    });
  }
}

function handlersOf(service: V2Service): Readonly<Record<string, Handler>> {
  const { definition, client } = service;
  const fork = async (params: { readonly sessionId: string }, { signal }: RequestContext): Promise<object> => {
    // A fork is set up as a resumed session is; what only the unstable schema knows of it is not served.
    const opening = readParams(definition, 'session/resume', params) as OpeningParams;
    const setup = readSetup(definition, opening);
    const session = await client.forkSession(params.sessionId, { ...setup, meta: opening._meta ?? undefined, signal });
    welcomeLater(session, client, false);
    return { sessionId: session.id, ...toSettings(session) };
  };
  const status = async ({ sessionId }: { readonly sessionId: string }): Promise<object> => {
    const open = client.findOpen(sessionId);
    if (!open) return { status: await client.sessionStatus(sessionId) };
    const { sessionUpdate: _, ...state } = eventToV2(await currentState(open)) ?? {};
    return { status: 'open', state };
  };
  return { 'session/fork': fork, 'session/status': status, ...unstableMethods(service) } as Readonly<
    Record<string, Handler>
  >;
}
