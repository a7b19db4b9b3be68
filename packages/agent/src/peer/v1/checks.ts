import { RpcError } from '@parley/jsonrpc';
import {
  type AgentRequests,
  checkOutgoing,
  enforceRules,
  INVALID,
  keepCustomContent,
  parseContent,
  takeProblem,
  ValidationError,
  v1,
} from '@parley/protocol';
import type { AgentDefinition } from '../../definition.ts';
import { checked } from '../../serve/checked.ts';
import type { AcpServer, Setup, SystemPrompt } from '../../session/setup.ts';
import { toAgentCapabilities } from './capabilities.ts';

/** Reads the params of a request: by the schema, by the rules beside it, and by what the agent advertised. */
export function readParams<Method extends keyof AgentRequests>(
  definition: AgentDefinition,
  method: Method,
  value: unknown,
): AgentRequests[Method]['params'] {
  return checked(() => {
    const { plain, acpServers } = takeAcpServers(definition, value ?? {});
    const read: unknown = keepCustomContent<unknown>(v1.requests[method].params, plain);
    if (read === INVALID) throw new ValidationError(takeProblem());
    const params = read as AgentRequests[Method]['params'];
    const { imageMimeTypes, audioMimeTypes } = definition;
    enforceRules(method, params as never, { ...toAgentCapabilities(definition), imageMimeTypes, audioMimeTypes });
    requireKnownServers(value);
    return acpServers.length > 0 ? { ...params, acpServers } : params;
  });
}

/** The schema has no name for the type `stdio`, but many clients write it. */
const SERVER_TYPES: ReadonlySet<unknown> = new Set([undefined, null, 'stdio', 'http', 'sse', 'acp']);

/**
 * The schema reads a server of an unknown type as one on stdio and forgets what it was called. A command that was meant
 * for something else must not be run, so it is refused by what the client wrote.
 */
function requireKnownServers(value: unknown): void {
  const { mcpServers } = (value ?? {}) as { readonly mcpServers?: unknown };
  if (!Array.isArray(mcpServers)) return;
  for (const [index, server] of mcpServers.entries()) {
    const { type } = (server ?? {}) as { readonly type?: unknown };
    if (SERVER_TYPES.has(type)) continue;
    throw RpcError.invalidParams(
      `mcpServers[${index}].type: expected stdio, http or sse, got ${JSON.stringify(type).slice(0, MAX_QUOTED_CHARACTERS)}`,
    );
  }
}

const MAX_QUOTED_CHARACTERS = 40;

/** Servers that the client itself provides are no part of the stable schema, so they are read apart from the others. */
function takeAcpServers(
  { isUnstable, mcp }: AgentDefinition,
  value: unknown,
): { readonly plain: unknown; readonly acpServers: readonly AcpServer[] } {
  const { mcpServers } = value as { readonly mcpServers?: unknown };
  const acpServers: AcpServer[] = [];
  if (!Array.isArray(mcpServers) || !mcpServers.some(isAcp)) return { plain: value, acpServers };
  for (const [index, server] of mcpServers.entries()) {
    if (!isAcp(server)) continue;
    if (!isUnstable || !mcp.has('acp'))
      throw RpcError.invalidParams(
        `mcpServers[${index}].type: expected a transport advertised in mcpCapabilities, got "acp"`,
      );
    const { name, serverId } = server;
    if (typeof name !== 'string' || name === '')
      throw RpcError.invalidParams(`mcpServers[${index}].name: expected a non-empty string`);
    if (typeof serverId !== 'string' || serverId === '')
      throw RpcError.invalidParams(`mcpServers[${index}].serverId: expected a non-empty string`);
    acpServers.push({ type: 'acp', name, serverId });
  }
  return { plain: { ...(value as object), mcpServers: mcpServers.filter((server) => !isAcp(server)) }, acpServers };
}

function isAcp(server: unknown): server is { readonly name?: unknown; readonly serverId?: unknown } {
  return (server as { readonly type?: unknown } | null)?.type === 'acp';
}

/** An agent that cannot do as a system prompt says must not open the session. */
function readSystemPrompt(definition: AgentDefinition, value: unknown): SystemPrompt | undefined {
  if (value == null || !definition.isUnstable) return undefined;
  if (!definition.systemPrompt) throw RpcError.invalidParams('systemPrompt: this agent did not advertise it');
  const { mode, content } = value as { readonly mode?: unknown; readonly content?: unknown };
  if (mode !== 'append' && !(mode === 'override' && definition.systemPrompt === 'override'))
    throw RpcError.invalidParams(`systemPrompt.mode: this agent did not advertise ${JSON.stringify(mode)}`);
  if (!Array.isArray(content)) throw RpcError.invalidParams('systemPrompt.content: expected array');
  const blocks = checked(() => parseContent(content));
  const other = blocks.findIndex(({ type }) => type !== 'text' && type !== 'resource_link' && type !== 'resource');
  if (other >= 0) throw RpcError.invalidParams(`systemPrompt.content[${other}].type: expected text or a resource`);
  return { mode, content: blocks };
}

interface WireSetup {
  readonly cwd: string;
  readonly additionalDirectories?: Setup['additionalDirectories'];
  readonly mcpServers?: Setup['mcpServers'];
  readonly acpServers?: Setup['acpServers'];
  readonly systemPrompt?: unknown;
}

/** Directories that the agent did not ask for are refused rather than dropped, so that nobody counts on them. */
export function readSetup(definition: AgentDefinition, params: WireSetup): Setup {
  const { cwd, additionalDirectories = [], mcpServers = [] } = params;
  if (additionalDirectories.length > 0 && !definition.takesDirectories) {
    throw RpcError.invalidParams('additionalDirectories: this agent did not advertise them');
  }
  const systemPrompt = readSystemPrompt(definition, params.systemPrompt);
  return { cwd, additionalDirectories, mcpServers, acpServers: params.acpServers, systemPrompt };
}

const OPENS_SESSION: ReadonlySet<string> = new Set(['session/new', 'session/load', 'session/resume', 'session/fork']);

/** Refuses a session in a directory that the agent finds to be none; undefined when there is nothing to wait for. */
export function requireDirectory(
  { checkDirectory }: AgentDefinition,
  method: string,
  params: unknown,
): Promise<void> | undefined {
  if (!checkDirectory || !OPENS_SESSION.has(method)) return undefined;
  const { cwd } = params as WireSetup;
  return Promise.resolve(checkDirectory(cwd)).then((problem) => {
    if (problem !== undefined) throw RpcError.invalidParams(`cwd: ${problem}: ${cwd}`, { path: 'cwd', cwd });
  });
}

/** An answer that the specification does not allow comes from how the agent was put together; its author hears of it. */
export function requireResult<Result>(
  definition: AgentDefinition,
  method: keyof AgentRequests,
  result: Result,
): Result {
  const problem = checkOutgoing(v1.requests[method].result, result);
  if (!problem) return result;
  const error = new ValidationError(problem);
  definition.report({ kind: 'invalid_answer', message: `The answer to ${method} is none that ACP allows.`, error });
  throw RpcError.internalError(`The agent has no valid answer to ${method}; its log says why.`);
}
