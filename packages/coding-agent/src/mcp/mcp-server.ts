import type { Client, RequestOptions, Transport } from '@modelcontextprotocol/client';
import { ParleyError } from '@parley/jsonrpc';
import type { McpServer } from '@parley/protocol';
import { VERSION } from '../version.ts';
import { listPrompts, listTools, type McpPrompt, type McpTool } from './mcp-lists.ts';
import { StdioServerTransport } from './stdio-transport.ts';

/** How long a server may take to start and say what it has; `npx` may have to download it first. */
export const MCP_CONNECT_TIMEOUT_MS: number = 30_000;

/** An MCP server that answered: what it has, and a way to use it. */
export interface ConnectedServer {
  readonly name: string;
  readonly tools: readonly McpTool[];
  readonly prompts: readonly McpPrompt[];
  readonly hasResources: boolean;
  /** What it says of how to use it, for the model. */
  readonly instructions?: string;
  /** Does something with the server. One whose process or connection has ended meanwhile is started anew first. */
  use<Result>(work: (client: Client) => Promise<Result>, signal: AbortSignal): Promise<Result>;
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

/** Connects to one server and asks what it has. Throws an `McpError` that names the server and what went wrong. */
export async function connectServer(server: McpServer, options: ConnectOptions): Promise<ConnectedServer> {
  let link = await openLink(server, options);
  let opening: Promise<Link> | undefined;
  let isClosed = false;
  const { tools, prompts, hasResources, instructions } = link;

  const living = async (signal: AbortSignal): Promise<Link> => {
    if (isClosed || !link.isEnded()) return link;
    opening ??= openLink(server, { ...options, signal }).finally(() => {
      opening = undefined;
    });
    link = await opening;
    // The session may have ended while the server was starting.
    if (isClosed) await link.client.close();
    return link;
  };
  return {
    name: server.name,
    tools,
    prompts,
    hasResources,
    ...(instructions !== undefined && { instructions }),
    use: async (work, signal) => work((await living(signal)).client),
    async close() {
      isClosed = true;
      await opening?.catch(() => {});
      await link.client.close();
    },
  };
}

/** One connection to a server, for as long as it lasts. */
interface Link extends Pick<ConnectedServer, 'tools' | 'prompts' | 'hasResources' | 'instructions'> {
  readonly client: Client;
  isEnded(): boolean;
}

async function openLink(server: McpServer, options: ConnectOptions): Promise<Link> {
  const { timeoutMs = MCP_CONNECT_TIMEOUT_MS, signal } = options;
  let client: Client | undefined;
  let transport: Transport | undefined;
  try {
    // Loaded when the first server is named: it takes longer than the rest of the agent.
    const mcp = await import('@modelcontextprotocol/client');
    client = new mcp.Client({ name: 'parley', version: VERSION });
    let isEnded = false;
    client.onclose = () => {
      isEnded = true;
    };
    transport = await createTransport(server, options);
    const patience: RequestOptions = { timeout: timeoutMs, ...(signal && { signal }) };
    await client.connect(transport, patience);
    const [tools, prompts] = await Promise.all([listTools(client, patience), listPrompts(client, patience)]);
    const hasResources = client.getServerCapabilities()?.resources !== undefined;
    const instructions = client.getInstructions()?.trim();
    return { client, tools, prompts, hasResources, ...(instructions && { instructions }), isEnded: () => isEnded };
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
