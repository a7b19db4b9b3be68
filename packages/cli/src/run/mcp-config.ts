import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { type McpServerInput, toMcpServers } from '@parley/client';
import { isRecord } from '../config/check-config.ts';
import type { Config } from '../config/config.ts';
import { usageError } from '../errors.ts';

/** The MCP servers for a session: those of the settings, and those of `--mcp-config`, which is a file like `.mcp.json`. */
export async function readMcpServers(file: string | undefined, config: Config, cwd: string): Promise<McpServerInput> {
  const configured = toMcpServers(config.mcpServers ?? []);
  return file === undefined ? configured : [...configured, ...toMcpServers(await readServers(resolve(cwd, file)))];
}

async function readServers(path: string): Promise<McpServerInput> {
  const text = await readFile(path, 'utf8').catch((error: Error) => {
    throw usageError(`--mcp-config cannot be read: ${error.message}`);
  });
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    throw usageError(`${path} is not JSON: ${(error as Error).message}`);
  }
  const servers = isRecord(value) && 'mcpServers' in value ? value.mcpServers : value;
  if (Array.isArray(servers) || isRecord(servers)) return servers as McpServerInput;
  throw usageError(`${path} has no "mcpServers"; it should look like {"mcpServers": {"name": {"command": "..."}}}.`);
}
