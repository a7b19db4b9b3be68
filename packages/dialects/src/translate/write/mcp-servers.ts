import { RpcError } from '@parley/jsonrpc';
import { type Fields, inWords, isRecord, only } from '../../fields.ts';
import { exceedsMap, writePairs } from '../../pairs.ts';
import { keep } from '../kept-facts.ts';

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
  return RpcError.invalidParams(`mcpServers[${refused}]: the agent does not support MCP over ${inWords(type)}`);
}

/** S2:343 and S4:231 have environment and headers as maps. A list that says more rides along. */
export function writePairMaps(server: Fields): Fields {
  const { env, headers, ...rest } = server;
  const isProgram = server.type === undefined;
  const maps = isProgram ? { env: writePairs(env ?? []) } : { headers: writePairs(headers ?? [], 'join') };
  const richer = ['env', 'headers'].filter((name) => exceedsMap(server[name]));
  return keep({ ...rest, ...maps }, richer.length > 0 ? only(server, richer) : {});
}
