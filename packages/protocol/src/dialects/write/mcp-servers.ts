import { RpcError } from '@parley/jsonrpc';
import { type Fields, isRecord } from '../fields.ts';

/** S0:391 and S3:366 write the type of a stdio server out. */
export function writeStdioType(server: unknown): unknown {
  return isRecord(server) && server.type === undefined ? { type: 'stdio', ...server } : server;
}

/** Refuses servers that the peer could not reach, before it hears of the session. */
export function refuseRemoteServers(params: Fields, accepts: (type: unknown) => boolean): RpcError | undefined {
  const servers = Array.isArray(params.mcpServers) ? params.mcpServers : [];
  const refused = servers.findIndex((server) => isRecord(server) && server.type !== undefined && !accepts(server.type));
  if (refused < 0) return undefined;
  const { type } = servers[refused] as Fields;
  return RpcError.invalidParams(`mcpServers[${refused}]: the agent does not support MCP over ${String(type)}`);
}
