import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { type McpServerInput, toMcpServers, UsageError } from '@parley/client';
import { usageError } from '@parley/host/command-line';
import type { McpServer } from '@parley/protocol';
import { isRecord } from '../../config/check-config.ts';
import type { Config } from '../../config/config.ts';
import { wordFileError } from '../../config/word-file-error.ts';
import type { SharedFlags } from '../../flags/shared-flags.ts';

export interface McpServerSources {
  readonly flags: Pick<SharedFlags, 'mcpConfig' | 'mcpServer'>;
  readonly config: Config;
  /** Those of the project's own file. */
  readonly project?: readonly McpServer[];
  /** Where files that flags name are looked for. */
  readonly cwd: string;
}

/**
 * The MCP servers for a session: of the settings, of the project, of `--mcp-config`, which is a file like `.mcp.json`, and of
 * `--mcp-server`. Of servers with one name the later one counts.
 */
export async function readMcpServers(sources: McpServerSources): Promise<readonly McpServer[]> {
  const { flags, config, project = [], cwd } = sources;
  const { mcpConfig: file, mcpServer: texts = [] } = flags;
  const all = [
    ...toMcpServers(config.mcpServers ?? []),
    ...project,
    ...(file === undefined ? [] : readServers(await readJson(resolve(cwd, file)), resolve(cwd, file))),
    ...texts.flatMap(readServerFlag),
  ];
  return [...new Map(all.map((server) => [server.name, server])).values()];
}

async function readJson(path: string): Promise<unknown> {
  const text = await readFile(path, 'utf8').catch((error: Error) => {
    throw usageError(`--mcp-config cannot be read: ${wordFileError(error)}`);
  });
  try {
    return JSON.parse(text);
  } catch (error) {
    const { wordJsonError } = await import('../../config/word-json-error.ts');
    throw usageError(`${path} is not JSON: ${wordJsonError(text, error)}`);
  }
}

function readServers(value: unknown, path: string): readonly McpServer[] {
  const servers = isRecord(value) && 'mcpServers' in value ? value.mcpServers : value;
  if (Array.isArray(servers) || isRecord(servers)) return toMcpServers(servers as McpServerInput);
  throw usageError(`${path} has no "mcpServers"; it should look like {"mcpServers": {"name": {"command": "..."}}}.`);
}

const FLAG = '--mcp-server';
const EXAMPLE = `--mcp-server '{"name": "files", "command": "npx", "args": ["-y", "some-mcp-server"]}'`;

function parseFlag(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    throw usageError(`${FLAG} is not JSON: ${(error as Error).message}`, EXAMPLE);
  }
}

/** One server with its name in it, or a map as in `.mcp.json`. */
function readServerFlag(text: string): readonly McpServer[] {
  const value = parseFlag(text);
  if (!isRecord(value)) throw usageError(`${FLAG} is a JSON object, not ${JSON.stringify(value)}.`, EXAMPLE);
  if (!('name' in value)) {
    if (Object.values(value).every(isRecord)) return orExplain(() => readServers(value, FLAG));
    throw usageError(`${FLAG} has no "name".`, EXAMPLE);
  }
  const { name, ...server } = value;
  if (typeof name !== 'string' || name === '') throw usageError(`The "name" in ${FLAG} is a text.`, EXAMPLE);
  const isWhole = Array.isArray(server.env) || Array.isArray(server.headers);
  return orExplain(() => (isWhole ? [value as unknown as McpServer] : readServers({ [name]: server }, FLAG)));
}

function orExplain(read: () => readonly McpServer[]): readonly McpServer[] {
  try {
    return read();
  } catch (error) {
    throw error instanceof UsageError ? usageError(`${FLAG}: ${error.message}`, EXAMPLE) : error;
  }
}
