import type { Session } from '@parley/agent';

/** The client's MCP servers as command lines write them: by name, with variables and headers as maps. */
export function toServerMap(servers: Session['mcpServers']): Readonly<Record<string, unknown>> | undefined {
  if (servers.length === 0) return undefined;
  return Object.fromEntries(
    servers.map((server) => {
      if ('command' in server) {
        const { name, command, args, env } = server;
        return [name, { command, args, env: toMap(env) }];
      }
      const { name, type, url, headers } = server;
      return [name, { type, url, headers: toMap(headers) }];
    }),
  );
}

function toMap(pairs: readonly { readonly name: string; readonly value: string }[]): Readonly<Record<string, string>> {
  return Object.fromEntries(pairs.map(({ name, value }) => [name, value]));
}
