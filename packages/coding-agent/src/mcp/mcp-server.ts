import type { Client, Transport } from '@modelcontextprotocol/client';
import { ParleyError } from '@parley/jsonrpc';
import type { McpServer } from '@parley/protocol';

/** How long a server may take to start and say what it has; `npx` may have to download it first. */
export const MCP_CONNECT_TIMEOUT_MS: number = 30_000;

export interface McpTool {
  readonly name: string;
  readonly description?: string | undefined;
  readonly inputSchema: Readonly<Record<string, unknown>>;
  readonly isReadOnly: boolean;
}

/** An MCP server that answered: its tools, and a way to call them. */
export interface ConnectedServer {
  readonly name: string;
  readonly client: Client;
  readonly tools: readonly McpTool[];
  close(): Promise<void>;
}

export class McpError extends ParleyError {
  override readonly name = 'McpError';
}

export interface ConnectOptions {
  readonly cwd: string;
  readonly timeoutMs?: number;
  readonly signal?: AbortSignal;
}

/** Connects to one server and asks for its tools. Throws an `McpError` that names the server and what to do. */
export async function connectServer(server: McpServer, options: ConnectOptions): Promise<ConnectedServer> {
  const { timeoutMs = MCP_CONNECT_TIMEOUT_MS, signal } = options;
  const { Client } = await import('@modelcontextprotocol/client');
  const client = new Client({ name: 'parley', version: '0.1.0' });
  try {
    await client.connect(await createTransport(server, options), { timeout: timeoutMs, ...(signal && { signal }) });
    const { tools } = await client.listTools(undefined, { timeout: timeoutMs, ...(signal && { signal }) });
    return {
      name: server.name,
      client,
      tools: tools.map(({ name, description, inputSchema, annotations }) => ({
        name,
        description,
        inputSchema,
        isReadOnly: annotations?.readOnlyHint === true,
      })),
      close: () => client.close(),
    };
  } catch (error) {
    await client.close().catch(() => {});
    const why = error instanceof Error ? error.message : String(error);
    throw new McpError('mcp_failed', `The MCP server "${server.name}" could not be used: ${why}`, { cause: error });
  }
}

async function createTransport(server: McpServer, { cwd }: ConnectOptions): Promise<Transport> {
  if ('type' in server) {
    const { StreamableHTTPClientTransport, SSEClientTransport } = await import('@modelcontextprotocol/client');
    const headers = Object.fromEntries((server.headers ?? []).map(({ name, value }) => [name, value]));
    const settings = { requestInit: { headers } };
    const url = new URL(server.url);
    return server.type === 'sse'
      ? new SSEClientTransport(url, settings)
      : (new StreamableHTTPClientTransport(url, settings) as Transport);
  }
  const { getDefaultEnvironment } = await import('@modelcontextprotocol/client/stdio');
  const { StdioServerTransport } = await import('./stdio-transport.ts');
  const given = Object.fromEntries((server.env ?? []).map(({ name, value }) => [name, value]));
  return new StdioServerTransport({
    command: server.command,
    args: server.args,
    cwd,
    env: { ...getDefaultEnvironment(), ...given },
  });
}
