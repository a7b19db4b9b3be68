import { RpcError } from '@parley/jsonrpc';
import { enforceRules, INVALID, type RuleContext, takeProblem, ValidationError } from '@parley/protocol';
import { type AgentRequests, type McpServer, v2 } from '@parley/protocol/v2';
import { mcpServersFromV2 } from '@parley/session/v2';
import type { AgentDefinition } from '../../contract/definition.ts';
import { checked } from '../../service/checked.ts';
import type { MethodChecks } from '../peer-service.ts';
import { requireServerTypes, takeAcpServers, type WireSetup } from '../read-setup.ts';
import { requireResult } from '../require-result.ts';

/** How version 2 reads the params of its methods, and checks their results. */
export function v2Checks(definition: AgentDefinition): MethodChecks {
  return {
    readParams: (method, value) => readParams(definition, method as keyof AgentRequests, value),
    requireResult: (method, result) =>
      definition.isRelay
        ? result
        : requireResult(definition, method, v2.requests[method as keyof AgentRequests].result, result),
  };
}

/** What opens a session, with its servers as sessions know them. */
export type OpeningParams = WireSetup & { readonly _meta?: Readonly<Record<string, unknown>> | null };

/** Reads the params of a request: by the schema, by the rules beside it, and by what the agent advertised. */
export function readParams(definition: AgentDefinition, method: keyof AgentRequests, value: unknown): unknown {
  return checked(() => {
    const { plain, acpServers } = takeAcpServers(definition, value ?? {}, 'capabilities.session.mcp');
    const params: unknown = v2.requests[method].params(plain);
    if (params === INVALID) throw new ValidationError(takeProblem());
    switch (method) {
      case 'session/new':
      case 'session/resume':
        return readOpening(definition, params as WireOpening, acpServers);
      case 'session/list':
      case 'session/prompt':
        // These rules are those of version 1, and what they look at has the same shape.
        enforceRules(method, params as never, rulesOf(definition));
        return params;
      default:
        return params;
    }
  });
}

interface WireOpening {
  readonly cwd: string;
  readonly additionalDirectories?: readonly string[];
  readonly mcpServers?: readonly McpServer[];
}

/** In a list of servers the type is always there, and those that only the unstable schema has were taken out before. */
const SERVER_TYPES: ReadonlySet<unknown> = new Set(['stdio', 'http']);

function readOpening(
  definition: AgentDefinition,
  params: WireOpening,
  acpServers: NonNullable<WireSetup['acpServers']>,
): OpeningParams {
  requireServerTypes(params, SERVER_TYPES, 'stdio or http');
  const servers = params.mcpServers ?? [];
  const http = definition.mcp.has('http') ? -1 : servers.findIndex(({ type }) => type === 'http');
  if (http >= 0) throw RpcError.invalidParams(`mcpServers[${http}].type: this agent did not advertise http`);
  const mcpServers = mcpServersFromV2(servers);
  enforceRules('session/new', { ...params, mcpServers } as never, rulesOf(definition));
  return { ...params, mcpServers, ...(acpServers.length > 0 && { acpServers }) };
}

function rulesOf({ content, imageMimeTypes, audioMimeTypes }: AgentDefinition): RuleContext {
  return {
    promptCapabilities: {
      image: content.has('image'),
      audio: content.has('audio'),
      embeddedContext: content.has('resource'),
    },
    // Whether a server may be of its type was looked at before.
    mcpCapabilities: { http: true, sse: false },
    imageMimeTypes,
    audioMimeTypes,
  };
}

/** Where a replay begins: at the start, or nowhere. */
export function readReplayFrom(value: unknown): 'start' | undefined {
  if (value == null) return undefined;
  const { type } = value as { readonly type?: unknown };
  if (type === 'start') return 'start';
  throw RpcError.invalidParams(`replayFrom.type: expected start, got ${String(JSON.stringify(type)).slice(0, 40)}`);
}
