import { McpError } from '@parley/agent';
import { RpcError } from '@parley/jsonrpc';
import type { ForeignSessions } from './foreign/agent-process.ts';
import type { HostedSession } from './hosted-session.ts';
import { toAgent } from './refusals.ts';

interface McpMessage {
  readonly serverId?: unknown;
  readonly requestId?: unknown;
  readonly method?: unknown;
  readonly params?: Readonly<Record<string, unknown>>;
}

/**
 * A request of the agent to an MCP server that a client is itself. It names the server and no session, so it goes to the client of
 * the session that was opened with a server of that name, the latest first.
 */
export async function relayMcp(
  sessions: ForeignSessions<HostedSession>,
  params: unknown,
  { signal, notify }: { readonly signal: AbortSignal; readonly notify: (params: object) => void },
): Promise<{ readonly result: unknown } | { readonly error: object }> {
  const { serverId, requestId, method, params: inner } = (params ?? {}) as McpMessage;
  const owner = [...sessions.values()]
    .map(({ follower }) => follower.sink?.session)
    .findLast((session) => session?.acpServers.some((server) => server.serverId === serverId));
  if (!owner) throw RpcError.invalidParams(`serverId: there is no MCP server "${String(serverId)}" here`);
  if (typeof method !== 'string') throw RpcError.invalidParams('method: expected string');
  try {
    const call = {
      serverId: String(serverId),
      method,
      params: inner,
      onNotification: (name: string, more: unknown) =>
        notify({ serverId, requestId, method: name, ...(more !== undefined && { params: more }) }),
    };
    return { result: await owner.client.callMcp(call, { signal }) };
  } catch (error) {
    if (!(error instanceof McpError)) throw toAgent(error);
    const { mcpCode: code = -32603, told: message, data } = error;
    return { error: { code, message, ...(data !== undefined && { data }) } };
  }
}
