import { RpcError } from '@parley/jsonrpc';
import type { ContentBlock, McpServer } from '@parley/protocol';
import type { AcceptedContent, AgentDefinition } from '../definition.ts';
import type { Setup } from '../live-session.ts';
import { isAbsolutePath } from '../paths.ts';

interface WireSetup {
  readonly cwd: string;
  readonly additionalDirectories?: readonly string[] | null;
  readonly mcpServers?: readonly AnyMcpServer[] | null;
}

/** A server as any version of the schema has it; one without a type is on stdio. */
interface AnyMcpServer {
  readonly name: string;
  readonly type?: string;
}

/** The rules of version 1 that its schema does not know, for everything that opens a session. */
export function requireSetup(definition: AgentDefinition, params: WireSetup): Setup {
  const { cwd, additionalDirectories, mcpServers } = params;
  const directories = additionalDirectories ?? [];
  const servers = mcpServers ?? [];
  requireAbsolute('cwd', cwd);
  if (directories.length > 0 && !definition.takesDirectories) {
    throw RpcError.invalidParams('additionalDirectories: this agent did not advertise them');
  }
  for (const [index, path] of directories.entries()) requireAbsolute(`additionalDirectories[${index}]`, path);
  for (const [index, server] of servers.entries()) requireMcpServer(`mcpServers[${index}]`, server, definition);
  return {
    cwd,
    additionalDirectories: directories,
    mcpServers: servers as readonly AnyMcpServer[] as readonly McpServer[],
  };
}

export function requireAbsolute(where: string, path: string): void {
  if (!isAbsolutePath(path)) throw RpcError.invalidParams(`${where}: expected an absolute path`);
}

/** Every agent takes servers on stdio. */
function requireMcpServer(where: string, { type }: AnyMcpServer, { mcp }: AgentDefinition): void {
  if (type === undefined || ((type === 'http' || type === 'sse') && mcp.has(type))) return;
  throw RpcError.invalidParams(`${where}: this agent did not advertise MCP over ${type}`);
}

const GATED: ReadonlySet<string> = new Set<AcceptedContent>(['image', 'audio', 'resource']);

/** Text and links are always welcome; everything else only when the agent said so. */
export function requireContent(definition: AgentDefinition, prompt: readonly ContentBlock[]): void {
  for (const [index, { type }] of prompt.entries()) {
    if (!GATED.has(type) || definition.content.has(type as AcceptedContent)) continue;
    throw RpcError.invalidParams(`prompt[${index}]: this agent did not advertise content of type ${type}`);
  }
}
