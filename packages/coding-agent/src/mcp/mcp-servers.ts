import type { McpServer } from '@parley/protocol';
import type { Tool } from '../tools/tool.ts';
import { type ConnectedServer, type ConnectOptions, connectServer } from './mcp-server.ts';
import { createMcpTool } from './mcp-tool.ts';

/** The MCP servers of one session. A server that fails is a line to show, never a session that fails. */
export interface McpServers extends AsyncDisposable {
  readonly tools: readonly Tool[];
  readonly connected: readonly ConnectedServer[];
  readonly failures: readonly McpFailure[];
}

export interface McpFailure {
  readonly server: string;
  readonly because: string;
}

export const NO_MCP_SERVERS: McpServers = {
  tools: [],
  connected: [],
  failures: [],
  [Symbol.asyncDispose]: async () => {},
};

/** Connects to all servers at once, each with its own deadline. */
export async function connectMcpServers(servers: readonly McpServer[], options: ConnectOptions): Promise<McpServers> {
  if (servers.length === 0) return NO_MCP_SERVERS;
  const results = await Promise.allSettled(servers.map((server) => connectServer(server, options)));
  const connected = results.flatMap((result) => (result.status === 'fulfilled' ? [result.value] : []));
  const failures = results.flatMap((result, index) =>
    result.status === 'rejected'
      ? [{ server: servers[index]?.name ?? '', because: (result.reason as Error).message }]
      : [],
  );
  return {
    tools: connected.flatMap((server) => server.tools.map((tool) => createMcpTool(server, tool) as Tool)),
    connected,
    failures,
    async [Symbol.asyncDispose]() {
      await Promise.allSettled(connected.map((server) => server.close()));
    },
  };
}
