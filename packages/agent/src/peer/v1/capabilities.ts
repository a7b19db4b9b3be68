import type { AgentCapabilities, AuthMethod as WireAuthMethod } from '@parley/protocol';
import {
  canAuthenticateInTerminal,
  type InitializeRequest,
  type InitializeResponse,
  V1_VERSION,
} from '@parley/protocol/initialize';
import type { AgentDefinition, AuthMethod } from '../../definition.ts';
import { authMethodsFor } from '../../serve/auth-methods.ts';

/** As `META.cursor` of the session package, which is too large to be loaded before the first answer. */
const CURSOR = 'parley/cursor';

/** Every version begins with this request; one that we do not speak is answered with the latest that we do. */
export function answerInitialize(
  definition: AgentDefinition,
  { clientCapabilities, _meta }: InitializeRequest,
): InitializeResponse {
  return {
    protocolVersion: V1_VERSION,
    agentCapabilities: toAgentCapabilities(definition),
    authMethods: toAuthMethods(authMethodsFor(definition, canAuthenticateInTerminal(clientCapabilities))),
    agentInfo: { ...definition.info },
    ...toMeta(definition, _meta?.[CURSOR] === true),
  };
}

function toMeta({ meta }: AgentDefinition, numbersEvents: boolean): { readonly _meta?: Record<string, unknown> } {
  return numbersEvents ? { _meta: { ...meta, [CURSOR]: true } } : meta ? { _meta: { ...meta } } : {};
}

/** What the agent can do, as version 1 says it: all that follows from how it was put together, and nothing else. */
export function toAgentCapabilities(definition: AgentDefinition): AgentCapabilities {
  const { content, mcp, takesDirectories, onLogout, isUnstable, providers, systemPrompt, capabilitiesMeta } =
    definition;
  const unstable = isUnstable ? { fork: {}, archive: {}, status: {}, title: {} } : {};
  const prompts = systemPrompt && { systemPrompt: systemPrompt === 'override' ? { mode: { override: {} } } : {} };
  return {
    loadSession: true,
    promptCapabilities: {
      image: content.has('image'),
      audio: content.has('audio'),
      embeddedContext: content.has('resource'),
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
}

export function toAuthMethods(methods: readonly AuthMethod[]): WireAuthMethod[] {
  return methods.map(({ id, name, description, terminal, meta }) => {
    const facts = {
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
