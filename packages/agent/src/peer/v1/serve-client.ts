import {
  type Connection,
  type NotificationHandler,
  type RequestContext,
  type RequestHandler,
  RpcError,
} from '@parley/jsonrpc';
import {
  type AgentRequests,
  type InitializeRequest,
  type SessionConfigOption,
  type SessionModeState,
  v1,
} from '@parley/protocol';
import { stopReasonToV1 } from '@parley/session';
import type { AgentDefinition } from '../../definition.ts';
import { Authentication } from '../../serve/authentication.ts';
import type { Credentials } from '../../serve/credentials.ts';
import type { AgentRuntime } from '../../serve/runtime.ts';
import { ServedClient } from '../../serve/served-client.ts';
import type { Service } from '../../serve/service.ts';
import type { LiveSession } from '../../session/live-session.ts';
import { optionOfMode } from '../../session/settings.ts';
import { BoundClient } from '../../turn/client.ts';
import type { TokenCount } from '../../turn/turn.ts';
import type { ClientPeer } from '../client-peer.ts';
import { readParams, readSetup, requireDirectory, requireResult } from './checks.ts';
import { setModel, toModels, type WireModels } from './legacy-models.ts';
import { readCursor, readKey, readWhenBusy } from './read-meta.ts';
import { stateMeta } from './session-state.ts';
import { V1ClientPeer } from './v1-peer.ts';

export interface ServeV1Options {
  readonly connection: Connection;
  readonly runtime: AgentRuntime;
  readonly principal: string;
  readonly whenClientLeaves: 'cancel' | 'keep';
  readonly initialize: InitializeRequest;
  readonly credentials: Credentials;
}

/** What the handlers of one connection share. */
export interface V1Service extends Service {
  readonly client: ServedClient;
  readonly requests: Map<string, RequestHandler>;
  readonly notifications: Map<string, readonly NotificationHandler[]>;
  readonly connection: Connection;
  readonly definition: AgentDefinition;
  readonly authentication: Authentication;
  /** Takes what an MCP server of the client tells. */
  readonly hearMcp: (params: unknown) => void;
}

type Handlers = {
  readonly [Method in Exclude<keyof AgentRequests, 'initialize'>]?: (
    params: AgentRequests[Method]['params'],
    context: RequestContext,
  ) => AgentRequests[Method]['result'] | Promise<AgentRequests[Method]['result']>;
};

/**
 * Puts an agent on a connection that speaks version 1: reads each request into the words of sessions and turns, and
 * writes what comes of it. Everything that is peculiar to the version is here and in its neighbours.
 */
export function serveV1(options: ServeV1Options): V1Service {
  const { connection, runtime, principal, initialize, credentials, whenClientLeaves } = options;
  const { definition } = runtime;
  const peer = new V1ClientPeer(connection, initialize, definition);
  const client = new ServedClient({ runtime, peer, principal, whenClientLeaves });
  const authentication = new Authentication({ definition, peer, principal, credentials });
  const requests = new Map<string, RequestHandler>();
  const notifications = new Map<string, readonly NotificationHandler[]>();
  const hearMcp = (params: unknown): void => peer.hearMcp(params);
  const close = (): Promise<void> => client.close();
  const service = { connection, definition, client, authentication, requests, notifications, hearMcp, close };

  for (const [method, handler] of Object.entries(handlersOf(service))) {
    requests.set(method, (context) => answer(service, method as keyof AgentRequests, handler, context));
  }
  notifications.set('session/cancel', [(params) => client.cancel(v1.parseParams('session/cancel', params).sessionId)]);
  const model = definition.options.find(({ category }) => category === 'model');
  if (model) {
    requests.set('session/set_model', async ({ params }) => {
      await authentication.require();
      return setModel(client, model.id, params);
    });
  }
  serveExtensions(service);
  return service;
}

function handlersOf({ definition, client, authentication }: V1Service): Handlers {
  const hasModes = definition.modes.length > 0;
  const hasOptions = hasModes || definition.options.length > 0;
  return {
    authenticate: async ({ methodId, _meta }, context) => {
      await authentication.authenticate(methodId, context, _meta ?? undefined);
      return {};
    },
    ...(definition.onLogout && {
      logout: async ({ _meta }, context) => {
        await authentication.logout(context, _meta ?? undefined);
        return {};
      },
    }),
    'session/new': async (params, { signal }) => {
      const setup = readSetup(definition, params);
      const session = await client.newSession({ ...setup, meta: params._meta ?? undefined, signal });
      welcomeLater(session, client);
      return { sessionId: session.id, ...toSettings(definition, session, client) };
    },
    'session/load': async (params, { signal }) => {
      const { sessionId, _meta } = params;
      const setup = readSetup(definition, params);
      const meta = _meta ?? undefined;
      const after = readCursor(meta);
      const session = await client.reopenSession({ ...setup, sessionId, reason: 'load', after, meta, signal });
      const state = await stateMeta(session, client.peer);
      askLater(session, client);
      return { ...toSettings(definition, session, client), ...state };
    },
    'session/resume': async (params, { signal }) => {
      const { sessionId, _meta } = params;
      const setup = readSetup(definition, params);
      const meta = _meta ?? undefined;
      const session = await client.reopenSession({
        ...setup,
        sessionId,
        reason: 'resume',
        after: readCursor(meta),
        meta,
        signal,
      });
      const state = await stateMeta(session, client.peer);
      welcomeLater(session, client);
      return { ...toSettings(definition, session, client), ...state };
    },
    'session/list': async (params) => {
      const { cwd, cursor } = params;
      const archived = definition.isUnstable ? readArchived(params) : undefined;
      const page = await client.listSessions({ cwd: cwd ?? undefined, cursor: cursor ?? undefined, archived });
      return {
        sessions: page.sessions.map(({ id, cwd: folder, title, updatedAtMs, isArchived }) => ({
          sessionId: id,
          cwd: folder,
          ...(title !== null && { title }),
          updatedAt: new Date(updatedAtMs).toISOString(),
          ...(definition.isUnstable && isArchived && { archived: true }),
        })),
        ...(page.nextCursor !== null && { nextCursor: page.nextCursor }),
      };
    },
    'session/close': async ({ sessionId }) => {
      await client.closeSession(sessionId);
      return {};
    },
    'session/delete': async ({ sessionId }) => {
      await client.deleteSession(sessionId);
      return {};
    },
    'session/prompt': ({ sessionId, prompt, _meta }, { signal }) => {
      const meta = _meta ?? undefined;
      const options = { signal, whenBusy: readWhenBusy(meta) };
      const turn = client.prompt(sessionId, { content: prompt, meta, id: readKey(meta) }, options);
      return turn.then(({ stopReason, meta, tokens }) => ({
        stopReason: stopReasonToV1(stopReason),
        ...(tokens && definition.isUnstable && { usage: toUsage(tokens) }),
        ...(meta && { _meta: meta }),
      }));
    },
    ...(hasModes && {
      'session/set_mode': async ({ sessionId, modeId }) => {
        if (await client.changeSetting(sessionId, optionOfMode(definition, modeId), modeId)) return {};
        throw RpcError.invalidParams(`modeId: there is no mode "${modeId}"`);
      },
    }),
    ...(hasOptions && {
      'session/set_config_option': async (params) => {
        const { sessionId, configId, value } = params;
        // A switch is shown only to clients that have said they know switches; whoever sets one knows it too.
        if (await client.changeSetting(sessionId, configId, value)) {
          return { configOptions: visibleOptions(client.require(sessionId), client) };
        }
        throw RpcError.invalidParams(
          `configId: there is no option "${configId}" with the value ${JSON.stringify(value)}`,
        );
      },
    }),
  };
}

/** Checks the params and the login, in this order, and without waiting where it can be helped. */
function answer(
  { authentication, definition }: V1Service,
  method: keyof AgentRequests,
  handler: (params: never, context: RequestContext) => unknown,
  context: RequestContext,
): unknown {
  const params = readParams(definition, method, context.params) as never;
  if (!authentication.isOpen && method.startsWith('session/')) return authentication.require().then(begin);
  return begin();

  async function begin(): Promise<unknown> {
    const looking = requireDirectory(definition, method, params);
    if (looking) await looking;
    return requireResult(definition, method, await handler(params, context));
  }
}

function serveExtensions({ connection, definition, client, requests, notifications }: V1Service): void {
  const { peer, principal } = client;
  const session = (sessionId: string): LiveSession | undefined => client.find(sessionId);
  const clientUntil = (signal: AbortSignal): BoundClient => new BoundClient({ peer, sessionId: '', cwd: '/', signal });
  for (const [name, handler] of definition.requests) {
    requests.set(name, ({ method, params, signal }) =>
      handler({ method, params, principal, session, client: clientUntil(signal), signal }),
    );
  }
  for (const [name, handlers] of definition.notifications) {
    const called = handlers.map(
      (handler): NotificationHandler =>
        (params, method) =>
          handler({ method, params, principal, session, client: clientUntil(connection.signal) }),
    );
    notifications.set(name, called);
  }
}

/** A client cannot place updates of a session whose id it is only about to learn, so they go out behind the answer. */
export function welcomeLater(session: LiveSession, { peer }: ServedClient): void {
  const { commands, viewers } = session;
  setTimeout(() => {
    const wereShown = viewers.welcome(peer);
    if (!wereShown && !session.isClosed && session.commands === commands) session.showCommands(peer);
    askNow(session, peer);
  }, 0);
}

/** Open questions of a session go to a client that has loaded it, after the answer to the loading. */
function askLater(session: LiveSession, { peer }: ServedClient): void {
  setTimeout(() => {
    askNow(session, peer);
  }, 0);
}

function askNow(session: LiveSession, peer: ClientPeer): void {
  session.questions.askAll(peer).catch((error: unknown) => {
    session.report({ kind: 'log_failed', message: 'What a session asks could not be read.', error });
  });
}

export interface WireSettings {
  modes?: SessionModeState;
  configOptions?: SessionConfigOption[];
  models?: WireModels;
}

/** Modes and options both, for clients that know either. */
export function toSettings(definition: AgentDefinition, session: LiveSession, client: ServedClient): WireSettings {
  const { modes, tellsLegacyModels } = definition;
  const configOptions = visibleOptions(session, client);
  const models = tellsLegacyModels ? toModels(configOptions) : undefined;
  const { mode } = session;
  return {
    ...(mode !== undefined && {
      modes: {
        currentModeId: mode,
        availableModes: modes.map(({ id, name, description }) => ({
          id,
          name,
          ...(description !== undefined && { description }),
        })),
      },
    }),
    ...(configOptions.length > 0 && { configOptions }),
    ...(models && { models }),
  };
}

function visibleOptions(session: LiveSession, { peer }: ServedClient): SessionConfigOption[] {
  if (peer.offers.booleanOptions) return session.configOptions;
  return session.configOptions.filter(({ type }) => type !== 'boolean');
}

/** Unstable: what a turn has used. */
function toUsage(tokens: TokenCount): TokenCount & { readonly totalTokens: number } {
  return { totalTokens: tokens.inputTokens + tokens.outputTokens, ...tokens };
}

/** Unstable: whether archived sessions are listed. */
function readArchived(params: object): 'exclude' | 'only' | 'include' | undefined {
  const { archived } = params as { archived?: unknown };
  if (archived == null) return undefined;
  if (archived === 'exclude' || archived === 'only' || archived === 'include') return archived;
  throw RpcError.invalidParams('archived: expected exclude, include or only');
}
