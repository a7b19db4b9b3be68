import { acceptsMcpServer, type McpCapabilities, type McpServer } from '@parley/protocol';
import { UsageError } from '../errors.ts';

/** Servers as ACP writes them, or as the map that `.mcp.json` and most configuration files have. */
export type McpServerInput = readonly McpServer[] | Readonly<Record<string, McpServerConfig>>;

/** One server of a configuration file. */
export interface McpServerConfig {
  readonly type?: string;
  readonly command?: string;
  readonly args?: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
  readonly url?: string;
  readonly headers?: Readonly<Record<string, string>>;
}

export interface SelectedServers {
  readonly accepted: readonly McpServer[];
  /** Servers that the agent cannot use; a person should be told. */
  readonly refused: readonly { readonly server: McpServer; readonly because: string }[];
}

/** The servers in the shape ACP wants, parted by whether the agent can connect to them. */
export function selectMcpServers(
  input: McpServerInput,
  capabilities: (McpCapabilities & { readonly stdio?: boolean }) | undefined,
): SelectedServers {
  const servers = toMcpServers(input);
  const accepts = (server: McpServer): boolean =>
    'type' in server ? acceptsMcpServer(capabilities, server) : (capabilities?.stdio ?? true);
  const refused = servers
    .filter((server) => !accepts(server))
    .map((server) => ({ server, because: `the agent does not take MCP servers over ${transportOf(server)}.` }));
  return { accepted: servers.filter(accepts), refused };
}

/** Turns the map of a configuration file into ACP's list. Throws when an entry is neither a command nor a URL. */
export function toMcpServers(input: McpServerInput): readonly McpServer[] {
  if (isList(input)) return input;
  return Object.entries(input).map(([name, config]) => toMcpServer(name, config));
}

function toMcpServer(name: string, config: McpServerConfig): McpServer {
  const { type, command, url, args = [], env = {}, headers = {} } = config;
  if (url !== undefined && type !== 'stdio') {
    const isSse = type === 'sse';
    return { type: isSse ? 'sse' : 'http', name, url, headers: toPairs(headers) };
  }
  if (command !== undefined && (type === undefined || type === 'stdio'))
    return { name, command, args: [...args], env: toPairs(env) };
  const found = type === undefined ? '' : ` of type "${type}"`;
  throw new UsageError(
    'invalid_settings',
    `MCP server "${name}"${found} needs a "command" to run, or a "url" to connect to.`,
  );
}

function toPairs(map: Readonly<Record<string, string>>): { name: string; value: string }[] {
  return Object.entries(map).map(([name, value]) => ({ name, value: String(value) }));
}

function isList(input: McpServerInput): input is readonly McpServer[] {
  return Array.isArray(input);
}

function transportOf(server: McpServer): string {
  return 'type' in server ? server.type : 'stdio';
}
