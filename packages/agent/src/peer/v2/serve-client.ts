import { type RequestContext, RpcError } from '@parley/jsonrpc';
import { type AgentRequests, type AvailableCommand, type SessionConfigOption, v2 } from '@parley/protocol/v2';
import { type CancellablePart, promptMessageId } from '@parley/session';
import { commandsToV2, configOptionsToV2 } from '@parley/session/v2';
import type { OptionValue } from '../../contract/settings.ts';
import { authMethodsFor } from '../../service/auth-methods.ts';
import type { LiveSession } from '../../session/live-session.ts';
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
import { currentState } from '../session-state.ts';
import { askLater, welcomeLater } from '../welcome.ts';
import { readInitialize } from './capabilities.ts';
import { type OpeningParams, readReplayFrom, v2Checks } from './checks.ts';
import { runToInsertion } from './run-to-insertion.ts';
import { V2ClientPeer } from './v2-peer.ts';

export interface ServeV2Options extends Omit<PeerServiceOptions, 'peer' | 'loginMethod'> {
  /** The params of `initialize`. */
  readonly params: unknown;
}

export interface V2Service extends PeerService {
  readonly peer: V2ClientPeer;
}

type Params<Method extends keyof AgentRequests> = Method extends 'session/new' | 'session/resume'
  ? Omit<AgentRequests[Method]['params'], 'mcpServers'> & OpeningParams
  : AgentRequests[Method]['params'];

type Handlers = {
  readonly [Method in Exclude<keyof AgentRequests, 'initialize'>]?: (
    params: Params<Method>,
    context: RequestContext,
  ) => AgentRequests[Method]['result'] | Promise<AgentRequests[Method]['result']>;
};

/**
 * Puts an agent on a connection that speaks version 2: reads each request into the words of sessions and turns, and writes what
 * comes of it. Everything that is peculiar to the version is here and in its neighbours.
 */
export function serveV2({ params, ...options }: ServeV2Options): V2Service {
  const { connection, runtime } = options;
  const peer = new V2ClientPeer(connection, readInitialize(params), runtime.definition);
  const service = { ...createPeerService({ ...options, peer, loginMethod: 'auth/login' }), peer };
  const { client } = service;
  serveMethods(service, handlersOf(service), v2Checks(runtime.definition));
  serveNotification(service, 'session/cancel', {
    read: (each) => v2.parseParams('session/cancel', each),
    run: ({ sessionId }) => client.cancelAll(sessionId),
  });
  return service;
}

function handlersOf(service: V2Service): Handlers {
  const { definition, client, connection, peer } = service;
  const hasOptions = definition.modes.length > 0 || definition.options.length > 0 || definition.hasOwnSettings;
  return {
    ...(authMethodsFor(definition, peer.offers.terminalAuth).length > 0 && authHandlers(service)),
    'session/new': async (params, { signal }) => {
      const setup = readSetup(definition, params);
      const session = await client.newSession({ ...setup, meta: params._meta ?? undefined, signal });
      welcomeLater(session, client, false);
      return { sessionId: session.id, ...toSettings(session) };
    },
    'session/resume': async (params, { signal }) => {
      const { sessionId, _meta, replayFrom } = params;
      const meta = _meta ?? undefined;
      const reason = readReplayFrom(replayFrom) === 'start' ? 'load' : 'resume';
      const after = readCursor(meta);
      const setup = readSetup(definition, params);
      const session = await client.reopenSession({ ...setup, sessionId, reason, after, meta, signal });
      // All that it was told of the session comes before this.
      peer.showState(sessionId, await currentState(session));
      if (reason === 'load' || after !== undefined) askLater(session, client);
      else welcomeLater(session, client, false);
      return toSettings(session);
    },
    ...sessionMethods(service),
    'session/prompt': async ({ sessionId, prompt, _meta }, { signal }) => {
      const meta = _meta ?? undefined;
      const content = prompt as Parameters<typeof client.prompt>[1]['content'];
      // Once it is answered the request is over, and only the end of the connection tells that the client is gone.
      const until = AbortSignal.any([signal, connection.signal]);
      // In this version a prompt is put into the conversation as soon as the agent can: into the turn that runs, if it takes any.
      const whenBusy = readWhenBusy(meta, definition.isSteerable ? 'steer' : 'queue');
      const options = { signal: until, whenBusy };
      const promptId = await runToInsertion(
        service,
        sessionId,
        { content, meta, promptId: readPromptId(meta) },
        options,
      );
      return { messageId: promptMessageId(promptId) };
    },
    ...(hasOptions && {
      'session/set_config_option': async (params) => {
        const { sessionId, configId } = params;
        const value = readValue(params);
        if (await client.changeSetting(sessionId, configId, value)) {
          return { configOptions: configOptionsToV2(client.require(sessionId).settings.optionsWithMode) };
        }
        throw RpcError.invalidParams(
          `configId: there is no option "${configId}" with the value ${JSON.stringify(value)}`,
        );
      },
    }),
    'tool_call/cancel': ({ sessionId, toolCallId }) => cancelPart(service, sessionId, { toolCallId }),
    'terminal/cancel': ({ sessionId, terminalId }) => cancelPart(service, sessionId, { terminalId }),
  };
}

/** Who can log in can log out: an agent that has nothing to do about it forgets the login. */
function authHandlers({ authentication }: V2Service): Handlers {
  return {
    'auth/login': async ({ methodId, _meta }, context) => {
      await authentication.authenticate(methodId, context, _meta ?? undefined);
      return {};
    },
    'auth/logout': async ({ _meta }, context) => {
      await authentication.logout(context, _meta ?? undefined);
      return {};
    },
  };
}

async function cancelPart({ client }: V2Service, sessionId: string, part: CancellablePart): Promise<object> {
  if (await client.cancelPart(sessionId, part)) return {};
  const [name, id] = Object.entries(part)[0] ?? [];
  throw RpcError.invalidParams(`${name}: "${id}" is unknown, has ended, or cannot be cancelled`);
}

export interface WireSettings {
  configOptions?: SessionConfigOption[];
  availableCommands?: AvailableCommand[];
}

/** What can be chosen in a session; the modes are one of its options. */
export function toSettings({ settings: { optionsWithMode: configOptions }, commands }: LiveSession): WireSettings {
  return {
    ...(configOptions.length > 0 && { configOptions: configOptionsToV2(configOptions) }),
    ...(commands.length > 0 && { availableCommands: commandsToV2(commands) }),
  };
}

function readValue({ type, value }: { readonly type: string; readonly value?: unknown }): OptionValue {
  if (type === 'id' && typeof value === 'string') return value;
  if (type === 'boolean' && typeof value === 'boolean') return value;
  throw RpcError.invalidParams(`type: expected id or boolean with such a value, got ${JSON.stringify(type)}`);
}
