import { RpcError } from '@parley/jsonrpc';

/** One request of an agent to an MCP server of ours. */
export interface McpRequest {
  /** The MCP method: `tools/list`. */
  readonly method: string;
  readonly params: unknown;
  readonly signal: AbortSignal;
  /** Tells the agent something while the request is worked on. */
  readonly notify: (method: string, params?: Readonly<Record<string, unknown>>) => void;
}

/** An MCP server that this client is itself, spoken to over its connection to the agent. Unstable. */
export interface AcpServerOptions {
  readonly name: string;
  /** Answers a request with its MCP result; an `RpcError` that it throws is the server's own answer. */
  readonly handle: (request: McpRequest) => unknown;
}

/** Answers `mcp/message`. The server's results and errors are successful answers; other errors mean that it could not be reached. */
export async function answerMcp(
  servers: Readonly<Record<string, AcpServerOptions>>,
  params: unknown,
  { signal, notify }: { readonly signal: AbortSignal; readonly notify: (params: object) => void },
): Promise<{ result: unknown } | { error: { code: number; message: string; data?: unknown } }> {
  const { serverId, requestId, method, params: inner } = (params ?? {}) as Readonly<Record<string, unknown>>;
  if (typeof serverId !== 'string' || !Object.hasOwn(servers, serverId))
    throw RpcError.invalidParams(`serverId: there is no MCP server "${String(serverId)}" here`);
  if (typeof requestId !== 'string') throw RpcError.invalidParams('requestId: expected string');
  if (typeof method !== 'string') throw RpcError.invalidParams('method: expected string');
  let isOpen = true;
  try {
    const result = await servers[serverId]?.handle({
      method,
      params: inner,
      signal,
      // A notification after the answer belongs to no request that the agent knows.
      notify: (name, more) => isOpen && notify({ serverId, requestId, method: name, ...(more && { params: more }) }),
    });
    return { result: result ?? null };
  } catch (error) {
    if (!(error instanceof RpcError)) throw error;
    const { code, message, data } = error;
    return { error: { code, message, ...(data !== undefined && { data }) } };
  } finally {
    isOpen = false;
  }
}
