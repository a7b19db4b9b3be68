import { type RequestContext, RpcError } from '@parley/jsonrpc';
import {
  type AgentRequests,
  type InitializeRequest,
  type SessionConfigOption,
  type SessionModeState,
  v1,
} from '@parley/protocol';
import { stopReasonToV1 } from '@parley/session';
import type { AgentDefinition } from '../../contract/definition.ts';
import type { ServedClient } from '../../service/served-client.ts';
import type { LiveSession } from '../../session/live-session.ts';
import { optionOfMode } from '../../session/settings.ts';
import { withTotal } from '../../turn/token-count.ts';
import {
  createPeerService,
  type PeerService,
  type PeerServiceOptions,
  serveMethods,
  serveNotification,
} from '../peer-service.ts';
import { readCursor, readPromptId, readWhenBusy } from '../read-meta.ts';
import { readSetup } from '../read-setup.ts';
import { sessionMethods } from '../session-methods.ts';
import { stateMeta } from '../session-state.ts';
import { askLater, welcomeLater } from '../welcome.ts';
import { v1Checks } from './checks.ts';
import { followModels, setModel, toModels, type WireModels } from './legacy-models.ts';
import { V1ClientPeer } from './v1-peer.ts';

export interface ServeV1Options extends Omit<PeerServiceOptions, 'peer' | 'loginMethod'> {
  readonly initialize: InitializeRequest;
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
export function serveV1({ initialize, ...options }: ServeV1Options): PeerService {
  const { connection, runtime } = options;
  const { definition } = runtime;
  const peer = new V1ClientPeer(connection, initialize, definition);
  const service = createPeerService({ ...options, peer, loginMethod: 'authenticate' });
  const { client, authentication, requests } = service;
  serveMethods(service, handlersOf(service), v1Checks(definition));
  serveNotification(service, 'session/cancel', {
    read: (params) => v1.parseParams('session/cancel', params),
    run: ({ sessionId }) => client.cancel(sessionId),
  });
  if (definition.hasOwnSettings || definition.options.some(({ category }) => category === 'model')) {
    requests.set('session/set_model', async (context) => {
      await authentication.require();
      const { anyRequest } = service;
      return setModel(client, context.params, anyRequest && (() => anyRequest(context)));
    });
  }
  return service;
}

function handlersOf(service: PeerService): Handlers {
  const { definition, client, authentication } = service;
  const hasModes = definition.modes.length > 0 || definition.hasOwnSettings;
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
      welcomeLater(session, client, true);
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
      return withState(toSettings(definition, session, client), state);
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
      welcomeLater(session, client, true);
      return withState(toSettings(definition, session, client), state);
    },
    ...sessionMethods(service),
    'session/prompt': ({ sessionId, prompt, _meta }, { signal }) => {
      const meta = _meta ?? undefined;
      const options = { signal, whenBusy: readWhenBusy(meta, 'refuse') };
      const turn = client.prompt(sessionId, { content: prompt, meta, promptId: readPromptId(meta) }, options);
      return turn.then(({ stopReason, meta, tokens, extra }) => ({
        ...extra,
        stopReason: stopReasonToV1(stopReason),
        ...(tokens && (definition.isUnstable || definition.isRelay) && { usage: withTotal(tokens) }),
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

export interface WireSettings {
  modes?: SessionModeState;
  configOptions?: SessionConfigOption[];
  models?: WireModels;
  _meta?: Record<string, unknown>;
}

/** Modes and options both, for clients that know either. */
export function toSettings(definition: AgentDefinition, session: LiveSession, client: ServedClient): WireSettings {
  const { tellsLegacyModels } = definition;
  const configOptions = visibleOptions(session, client);
  const { current, modes } = session.settings;
  const { modeId: mode, own: { meta, extra } = {} } = current;
  const models = tellsLegacyModels || extra?.models !== undefined ? toModels(configOptions) : undefined;
  return {
    ...extra,
    ...(mode !== undefined && { modes: { currentModeId: mode, availableModes: [...modes] } }),
    ...(configOptions.length > 0 && { configOptions }),
    ...(models && { models }),
    ...(extra?.models !== undefined && { models: followModels(extra.models, models) as WireModels }),
    ...(meta && { _meta: { ...meta } }),
  };
}

function withState(settings: WireSettings, state: Pick<WireSettings, '_meta'>): WireSettings {
  return state._meta ? { ...settings, _meta: { ...settings._meta, ...state._meta } } : settings;
}

function visibleOptions(session: LiveSession, { peer }: ServedClient): SessionConfigOption[] {
  if (peer.offers.booleanOptions) return session.settings.configOptions;
  return session.settings.configOptions.filter(({ type }) => type !== 'boolean');
}
