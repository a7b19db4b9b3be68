import type { ContentBlock, McpServer } from '@parley/protocol';

/** An MCP server that the client itself provides, over the connection that the two have. Unstable. */
export interface AcpServer {
  readonly type: 'acp';
  readonly name: string;
  readonly serverId: string;
}

/** Instructions that the client gives the model: beside the agent's own, or in their place. Unstable. */
export interface SystemPrompt {
  readonly mode: 'append' | 'override';
  readonly content: readonly ContentBlock[];
}

/** What a client gives each time it opens a session. */
export interface Setup {
  readonly cwd: string;
  readonly additionalDirectories: readonly string[];
  readonly mcpServers: readonly McpServer[];
  readonly acpServers?: readonly AcpServer[] | undefined;
  readonly systemPrompt?: SystemPrompt | undefined;
}

export function setupOf({ cwd, additionalDirectories, mcpServers, acpServers, systemPrompt }: Setup): Setup {
  return { cwd, additionalDirectories, mcpServers, acpServers, systemPrompt };
}

export function isSameSetup(one: Setup, other: Setup): boolean {
  return JSON.stringify(setupOf(one)) === JSON.stringify(setupOf(other));
}
