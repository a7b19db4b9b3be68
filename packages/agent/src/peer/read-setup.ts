import { RpcError } from '@parley/jsonrpc';
import { parseContent } from '@parley/protocol';
import type { AgentDefinition } from '../contract/definition.ts';
import type { AcpServer, Setup, SystemPrompt } from '../contract/setup.ts';
import { checked } from '../service/checked.ts';

/** How a session is to be set up, as a version has read it. */
export interface WireSetup {
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

/** Servers that the client itself provides are no part of the stable schema, so they are read apart from the others. */
export function takeAcpServers(
  { isUnstable, mcp }: AgentDefinition,
  value: unknown,
  capability: string,
): { readonly plain: unknown; readonly acpServers: readonly AcpServer[] } {
  const { mcpServers } = value as { readonly mcpServers?: unknown };
  const acpServers: AcpServer[] = [];
  if (!Array.isArray(mcpServers) || !mcpServers.some(isAcp)) return { plain: value, acpServers };
  for (const [index, server] of mcpServers.entries()) {
    if (!isAcp(server)) continue;
    if (!isUnstable || !mcp.has('acp'))
      throw RpcError.invalidParams(
        `mcpServers[${index}].type: expected a transport advertised in ${capability}, got "acp"`,
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

/**
 * A reader may forget what a server of an unknown type was called. A command that was meant for something else must not be
 * run, so it is refused by what the client wrote.
 */
export function requireServerTypes(value: unknown, types: ReadonlySet<unknown>, expected: string): void {
  const { mcpServers } = (value ?? {}) as { readonly mcpServers?: unknown };
  if (!Array.isArray(mcpServers)) return;
  for (const [index, server] of mcpServers.entries()) {
    const { type } = (server ?? {}) as { readonly type?: unknown };
    if (types.has(type)) continue;
    throw RpcError.invalidParams(
      `mcpServers[${index}].type: expected ${expected}, got ${String(JSON.stringify(type)).slice(0, MAX_QUOTED_CHARACTERS)}`,
    );
  }
}

const MAX_QUOTED_CHARACTERS = 40;

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
