import type { McpServer } from '@parley/protocol';
import type { PromptCommand } from '../prompt/prompt-command.ts';
import type { Tool } from '../tools/tool.ts';
import { createPromptCommands } from './mcp-prompts.ts';
import { createResourceTools } from './mcp-resources.ts';
import { type ConnectedServer, type ConnectOptions, connectServer } from './mcp-server.ts';
import { createMcpTool, MAX_NAME_CHARACTERS } from './mcp-tool.ts';

/** The MCP servers of one session. A server that fails is a line to show, never a session that fails. */
export interface McpServers extends AsyncDisposable {
  readonly tools: readonly Tool[];
  /** Their prompts. */
  readonly commands: readonly PromptCommand[];
  readonly connected: readonly ConnectedServer[];
  readonly failures: readonly McpFailure[];
}

export interface McpFailure {
  readonly server: string;
  readonly because: string;
}

export const NO_MCP_SERVERS: McpServers = {
  tools: [],
  commands: [],
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
    tools: [
      ...withUniqueNames(
        connected.flatMap((server) => server.tools.map((tool) => createMcpTool(server, tool) as Tool)),
      ),
      ...createResourceTools(connected),
    ],
    commands: createPromptCommands(connected),
    connected,
    failures,
    async [Symbol.asyncDispose]() {
      await Promise.allSettled(connected.map((server) => server.close()));
    },
  };
}

/** Two servers of one name, or names that differ only in characters that providers refuse: the first one keeps it. */
function withUniqueNames(tools: readonly Tool[]): readonly Tool[] {
  const counts = new Map<string, number>();
  return tools.map((tool) => {
    const count = (counts.get(tool.name) ?? 0) + 1;
    counts.set(tool.name, count);
    return count === 1 ? tool : { ...tool, name: `${tool.name.slice(0, MAX_NAME_CHARACTERS - 4)}_${count}` };
  });
}
