import type { Client, RequestOptions, Transport } from '@modelcontextprotocol/client';
import { ParleyError } from '@parley/jsonrpc';
import type { McpServer } from '@parley/protocol';
import { VERSION } from '../version.ts';
import { StdioServerTransport } from './stdio-transport.ts';

/** How long a server may take to start and say what it has; `npx` may have to download it first. */
export const MCP_CONNECT_TIMEOUT_MS: number = 30_000;

const MAX_TOOLS = 500;

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

/** Connects to one server and asks for its tools. Throws an `McpError` that names the server and what went wrong. */
export async function connectServer(server: McpServer, options: ConnectOptions): Promise<ConnectedServer> {
  const { timeoutMs = MCP_CONNECT_TIMEOUT_MS, signal } = options;
  let client: Client | undefined;
  let transport: Transport | undefined;
  try {
    // Loaded when the first server is named: it takes longer than the rest of the agent.
    const mcp = await import('@modelcontextprotocol/client');
    client = new mcp.Client({ name: 'parley', version: VERSION });
    transport = await createTransport(server, options);
    const patience = { timeout: timeoutMs, ...(signal && { signal }) };
    await client.connect(transport, patience);
    const { name } = server;
    const connected = client;
    return { name, client, tools: await listTools(client, patience), close: () => connected.close() };
  } catch (error) {
    await client?.close().catch(() => {});
    const why = reasonOf(error, transport);
    throw new McpError('mcp_failed', `The MCP server "${server.name}" could not be used: ${why}`, { cause: error });
  }
}

/** What a process wrote before it ended, and what was behind a failed request, says more than that it failed. */
function reasonOf(error: unknown, transport: Transport | undefined): string {
  const ended = transport instanceof StdioServerTransport ? transport.endedBy : undefined;
  const { message, cause } = (ended ?? error) as { readonly message?: string; readonly cause?: unknown };
  const deeper = cause instanceof Error && message === 'fetch failed' ? `: ${cause.message}` : '';
  return `${message ?? String(error)}${deeper}`;
}

/** All pages of a server's list, up to more than any model could choose from. */
async function listTools(client: Client, patience: RequestOptions): Promise<readonly McpTool[]> {
  if (client.getServerCapabilities()?.tools === undefined) return [];
  const found: McpTool[] = [];
  let cursor: string | undefined;
  do {
    const page = await client.listTools(cursor === undefined ? undefined : { cursor }, patience);
    found.push(
      ...page.tools.map(({ name, description, inputSchema, annotations }) => ({
        name,
        description,
        inputSchema,
        isReadOnly: annotations?.readOnlyHint === true,
      })),
    );
    cursor = page.nextCursor;
  } while (cursor !== undefined && found.length < MAX_TOOLS);
  return found.slice(0, MAX_TOOLS);
}

async function createTransport(server: McpServer, { cwd }: ConnectOptions): Promise<Transport> {
  // Some clients send `type: "stdio"` although the protocol has no such word.
  if ('type' in server && 'url' in server) {
    const { StreamableHTTPClientTransport, SSEClientTransport } = await import('@modelcontextprotocol/client');
    const headers = Object.fromEntries((server.headers ?? []).map(({ name, value }) => [name, value]));
    const settings = { requestInit: { headers } };
    const url = new URL(server.url);
    return server.type === 'sse'
      ? new SSEClientTransport(url, settings)
      : (new StreamableHTTPClientTransport(url, settings) as Transport);
  }
  const { getDefaultEnvironment } = await import('@modelcontextprotocol/client/stdio');
  const given = Object.fromEntries((server.env ?? []).map(({ name, value }) => [name, value]));
  return new StdioServerTransport({
    command: server.command,
    args: server.args,
    cwd,
    env: { ...getDefaultEnvironment(), ...given },
  });
}
