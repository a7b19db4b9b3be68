import type { McpServer } from '@parley/protocol';

/** What a client gives each time it opens a session. */
export interface Setup {
  readonly cwd: string;
  readonly additionalDirectories: readonly string[];
  readonly mcpServers: readonly McpServer[];
}

export function setupOf({ cwd, additionalDirectories, mcpServers }: Setup): Setup {
  return { cwd, additionalDirectories, mcpServers };
}

export function isSameSetup(one: Setup, other: Setup): boolean {
  return JSON.stringify(setupOf(one)) === JSON.stringify(setupOf(other));
}
