import { isRecord } from '@parley/jsonrpc/internal';
import type { AgentCapabilities, AuthMethod as WireAuthMethod } from '@parley/protocol';
import {
  canAuthenticateInTerminal,
  type InitializeRequest,
  type InitializeResponse,
  V1_VERSION,
} from '@parley/protocol/initialize';
import type { AgentDefinition, AuthMethod } from '../../contract/definition.ts';
import { authMethodsFor } from '../../service/auth-methods.ts';

/** As `META.cursor` of the session package, which is too large to be loaded before the first answer. */
const CURSOR = 'parley/cursor';
/** As `META.steer`. */
export const STEER = 'parley/steer';
/** As `META.dropTurns`. */
export const DROP_TURNS = 'parley/dropTurns';

interface Asked {
  readonly initialize: InitializeRequest;
  readonly mayReturn: boolean;
}

/** Every version begins with this request; one that we do not speak is answered with the latest that we do. */
export function answerInitialize(definition: AgentDefinition, { initialize, mayReturn }: Asked): InitializeResponse {
  const { clientCapabilities, _meta } = initialize;
  const meta = toMeta(definition, _meta?.[CURSOR] === true, mayReturn);
  return {
    protocolVersion: V1_VERSION,
    agentCapabilities: toAgentCapabilities(definition),
    authMethods: toAuthMethods(authMethodsFor(definition, canAuthenticateInTerminal(clientCapabilities))),
    agentInfo: { ...definition.info },
    ...(meta && { _meta: meta }),
  };
}

/** `_meta` of the answer: whether events are numbered; the key alone tells a client that it can have that. */
export function toMeta(
  { meta }: AgentDefinition,
  numbersEvents: boolean,
  mayReturn: boolean,
): Record<string, unknown> | undefined {
  if (numbersEvents || mayReturn) return { ...meta, [CURSOR]: numbersEvents };
  return meta && { ...meta };
}

/** What the agent can do, as version 1 says it: all that follows from how it was put together, and nothing else. */
export function toAgentCapabilities(definition: AgentDefinition): AgentCapabilities {
  const { content, mcp, takesDirectories, onLogout, isUnstable, providers, systemPrompt, capabilitiesMeta } =
    definition;
  const unstable = isUnstable ? { fork: { _meta: { [DROP_TURNS]: true } }, archive: {}, status: {}, title: {} } : {};
  const prompts = systemPrompt && { systemPrompt: systemPrompt === 'override' ? { mode: { override: {} } } : {} };
  const own = {
    loadSession: true,
    promptCapabilities: {
      image: content.has('image'),
      audio: content.has('audio'),
      embeddedContext: content.has('resource'),
      ...(definition.isSteerable && { _meta: { [STEER]: true } }),
    },
    mcpCapabilities: {
      http: mcp.has('http'),
      sse: mcp.has('sse'),
      ...(isUnstable && mcp.has('acp') && { acp: true }),
    },
    sessionCapabilities: {
      list: {},
      delete: {},
      resume: {},
      close: {},
      ...(takesDirectories && { additionalDirectories: {} }),
      ...unstable,
      ...prompts,
    },
    ...(providers && { providers: {} }),
    auth: { ...(onLogout && { logout: {} }), ...(isUnstable && { status: {} }) },
    ...(capabilitiesMeta && { _meta: { ...capabilitiesMeta } }),
  };
  return withRelayed(own, definition, V1_VERSION);
}

/** Capabilities with those of the agent that is passed on, where ours have none of that name. */
export function withRelayed<Capabilities extends object>(
  own: Capabilities,
  { relayed }: AgentDefinition,
  version: number,
): Capabilities {
  return relayed?.version === version ? (fill(own, relayed.capabilities) as Capabilities) : own;
}

function fill(own: unknown, other: unknown): unknown {
  if (own === undefined) return other;
  if (!isRecord(own) || !isRecord(other)) return own;
  const names = new Set([...Object.keys(own), ...Object.keys(other)]);
  return Object.fromEntries([...names].map((name) => [name, fill(own[name], other[name])]));
}

export function toAuthMethods(methods: readonly AuthMethod[]): WireAuthMethod[] {
  return methods.map(({ id, name, description, terminal, meta, extra }) => {
    const facts = {
      ...extra,
      id,
      name,
      ...(description !== undefined && { description }),
      ...(meta && { _meta: { ...meta } }),
    };
    if (!terminal) return facts;
    const { args, env } = terminal;
    return { ...facts, type: 'terminal', ...(args && { args: [...args] }), ...(env && { env: { ...env } }) };
  });
}
