import type { McpServerConfig } from './mcp-servers.ts';

/** Fills in `${NAME}` and `${NAME:-otherwise}`, as `.mcp.json` files are written; `missing` hears of names that are not set. */
export function expandVariables(
  server: McpServerConfig,
  environment: Readonly<Record<string, string | undefined>>,
  missing: (name: string) => void,
): McpServerConfig {
  const expand = (text: string): string => expandText(text, environment, missing);
  const expandAll = (map: Readonly<Record<string, string>>): Record<string, string> =>
    Object.fromEntries(Object.entries(map).map(([key, value]) => [key, expand(String(value))]));
  const { command, args, env, url, headers } = server;
  return {
    ...server,
    ...(command !== undefined && { command: expand(command) }),
    ...(args !== undefined && { args: args.map(expand) }),
    ...(env !== undefined && { env: expandAll(env) }),
    ...(url !== undefined && { url: expand(url) }),
    ...(headers !== undefined && { headers: expandAll(headers) }),
  };
}

/** Fills in the variables of one text. */
export function expandText(
  text: string,
  environment: Readonly<Record<string, string | undefined>>,
  missing: (name: string) => void,
): string {
  return text.replace(/\$\{(\w+)(?::-([^}]*))?\}/g, (_whole, name: string, otherwise: string | undefined) => {
    const value = environment[name] ?? otherwise;
    if (value === undefined) missing(name);
    return value ?? '';
  });
}
