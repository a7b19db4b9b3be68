import { type AgentCapabilities, type InitializeRequest, type InitializeResponse, v2 } from '@parley/protocol/v2';
import { authMethodsToV2, clientOffersFromV2 } from '@parley/session/v2';
import type { AgentDefinition } from '../../contract/definition.ts';
import { authMethodsFor } from '../../service/auth-methods.ts';
import { checked } from '../../service/checked.ts';
import { DROP_TURNS, STEER, toAuthMethods, toMeta, withRelayed } from '../v1/capabilities.ts';

export const V2_VERSION = 2;

/** A client that asks for more than this version may introduce itself in another way than this version knows. */
const UNKNOWN = { name: 'unknown', version: 'unknown' } as const;

/** Reads `initialize`: strictly where it is exactly this version that is asked for. */
export function readInitialize(params: unknown): InitializeRequest {
  const { protocolVersion } = params as { readonly protocolVersion: number };
  if (protocolVersion === V2_VERSION) return checked(() => v2.parseParams('initialize', params));
  try {
    return v2.parseParams('initialize', params);
  } catch {
    return checked(() => v2.parseParams('initialize', { ...(params as object), info: UNKNOWN }));
  }
}

export function answerInitialize(
  definition: AgentDefinition,
  { params, mayReturn }: { readonly params: unknown; readonly mayReturn: boolean },
): InitializeResponse {
  const initialize = readInitialize(params);
  const { terminalAuth, cursors } = clientOffersFromV2(initialize, definition.isUnstable);
  const authMethods = authMethodsToV2(toAuthMethods(authMethodsFor(definition, terminalAuth)));
  const meta = toMeta(definition, cursors, mayReturn);
  return {
    protocolVersion: V2_VERSION,
    info: { ...definition.info },
    capabilities: toAgentCapabilities(definition),
    ...(authMethods.length > 0 && { authMethods }),
    ...(meta && { _meta: meta }),
  };
}

/** What the agent can do, as version 2 says it: all that follows from how it was put together, and nothing else. */
function toAgentCapabilities(definition: AgentDefinition): AgentCapabilities {
  const { content, mcp, takesDirectories, isUnstable, providers, systemPrompt } = definition;
  const unstable = isUnstable ? { fork: { _meta: { [DROP_TURNS]: true } }, archive: {}, status: {}, title: {} } : {};
  const prompts = systemPrompt && { systemPrompt: systemPrompt === 'override' ? { mode: { override: {} } } : {} };
  const own = {
    session: {
      prompt: {
        ...(content.has('image') && { image: {} }),
        ...(content.has('audio') && { audio: {} }),
        ...(content.has('resource') && { embeddedContext: {} }),
        ...(definition.isSteerable && { _meta: { [STEER]: true } }),
      },
      mcp: {
        stdio: {},
        ...(mcp.has('http') && { http: {} }),
        ...(isUnstable && mcp.has('acp') && { acp: {} }),
      },
      delete: {},
      ...(takesDirectories && { additionalDirectories: {} }),
      ...unstable,
      ...prompts,
    },
    ...(providers && { providers: {} }),
    auth: { ...(isUnstable && { status: {} }) },
    ...(definition.capabilitiesMeta && { _meta: { ...definition.capabilitiesMeta } }),
  };
  return withRelayed(own, definition, V2_VERSION) as AgentCapabilities;
}
